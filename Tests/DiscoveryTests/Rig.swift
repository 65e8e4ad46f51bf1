import Discovery
import Foundation
import Glibc

/// The virtual network's host `ann`, which this test process runs on, and its neighbour `ben`.
/// Tests/Support/lan/discovery-tests makes them.
enum Rig {
    static let isHere = ProcessInfo.processInfo.environment["PEERSYNC_TEST_HOST"] == "ann"
    static let reason = "not on the virtual network: run Tests/Support/lan/discovery-tests"
    static let tool = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Support/lan/lan").path

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs the virtual network's tool and returns what it prints.
    @discardableResult
    static func lan(_ arguments: String...) throws -> String {
        let program = try Program(arguments)
        let output = program.readOutput()
        let status = program.wait()
        guard status == 0 else {
            throw Failure(description: "lan \(arguments) ended with status \(status)")
        }
        return output
    }

    /// Starts a program on `ben` that runs until it is stopped.
    static func onBen(_ command: String...) throws -> Program {
        try Program(["exec", "ben", "--"] + command)
    }

    /// A child process, by posix_spawn(3): Foundation's reports a child as running as long as its
    /// daemon runs, and passes on the blocked signals of the starting thread.
    struct Program {
        private let identifier: pid_t
        private let output: Int32

        fileprivate init(_ arguments: [String]) throws {
            var ends: [Int32] = [0, 0]
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
            var noSignals = sigset_t()
            var child: pid_t = 0
            var words = unsafe ([Rig.tool] + arguments).map { unsafe strdup($0) } + [nil]
            defer { while let word = unsafe words.popLast() { unsafe free(word) } }
            unsafe pipe(&ends)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            unsafe posix_spawn_file_actions_init(&actions)
            unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
            unsafe posix_spawnattr_init(&attributes)
            unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
            unsafe sigemptyset(&noSignals)
            unsafe posix_spawnattr_setsigmask(&attributes, &noSignals)
            let code = unsafe posix_spawn(&child, Rig.tool, &actions, &attributes, &words, environ)
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
            close(ends[1])
            identifier = child
            output = ends[0]
            guard code == 0 else { throw Failure(description: "posix_spawn: \(code)") }
        }

        func end() {
            kill(identifier, SIGTERM)
            wait()
        }

        fileprivate func readOutput() -> String {
            let data = FileHandle(fileDescriptor: output).readDataToEndOfFile()
            return String(decoding: data, as: UTF8.self)
        }

        /// The status of waitpid(2): 0 for success.
        @discardableResult
        fileprivate func wait() -> Int32 {
            var status: Int32 = 0
            while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            close(output)
            return status
        }
    }

    /// The peersync services that `ben` sees: lines of `avahi-browse -rpt`.
    static func seenByBen() throws -> [Substring] {
        try lan("exec", "ben", "--", "timeout", "5", "avahi-browse", "-rpt", "_peersync._tcp")
            .split(separator: "\n").filter { $0.hasPrefix("=") }
    }

    /// Polls five times a second until the answer is true or the seconds are over.
    static func soon(_ seconds: Int = 15, _ question: () throws -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            if try question() { return true }
            try await Task.sleep(for: .milliseconds(200))
        }
        return false
    }
}

/// Reads a stream until an element fits.
struct Watcher<Element: Sendable> {
    private var iterator: AsyncStream<Element>.Iterator

    init(_ stream: AsyncStream<Element>) {
        iterator = stream.makeAsyncIterator()
    }

    /// The first element that fits, from now on; the test's time limit bounds the wait.
    mutating func first(_ fits: (Element) -> Bool) async -> Element? {
        while let element = await iterator.next(isolation: #isolation) {
            if fits(element) { return element }
        }
        return nil
    }
}
