import CPlatform
import Foundation
import Media
import Testing

@Suite("A process for each picture")
struct ForkServerTests {
    @Test(
        "a failed process of one picture does not affect another",
        .enabled(if: TestPlaces.samples != nil, TestPlaces.noSamples), .timeLimit(.minutes(1)))
    func apart() async throws {
        // given two pictures whose reports nobody takes yet: they are longer than a pipe
        let server = try TestServer()
        let photo = try TestPlaces.sample("photos/DSCN0010.jpg")
        let first = try server.send(photo)
        let killed = try await server.child(beside: [])
        let second = try server.send(photo)
        let waiting = try await server.child(beside: [killed])
        // when one process is killed, and the other still waits
        #expect(kill(killed, SIGKILL) == 0)
        // then a third one answers, with no word of theirs
        let other = try TestPlaces.sample("photos/landscape_6.jpg")
        let third = try #require(try server.send(other).report())
        #expect(third.pixelSize?.width == 450)
        #expect(try first.report() == nil)
        #expect(kill(waiting, 0) == 0)
        #expect(try second.report()?.pixelSize?.width == 640)
    }

    @Test(
        "reads a picture in a process that can do nothing else",
        .enabled(if: TestPlaces.samples != nil, TestPlaces.noSamples), .timeLimit(.minutes(1)))
    func confined() async throws {
        let server = try TestServer()
        let report = try server.send(TestPlaces.sample("photos/DSCN0010.jpg"))
        let child = try await server.child(beside: [])

        let status = try words("/proc/\(child)/status")
        #expect(status.contains(["Seccomp:", "2"]))
        #expect(status.contains(["NoNewPrivs:", "1"]))
        #expect(status.contains(["Threads:", "1"]))
        let limits = try words("/proc/\(child)/limits")
        for expected in [
            "Max address space 1073741824 1073741824 bytes", "Max cpu time 20 20 seconds",
            "Max open files 64 64 files", "Max core file size 0 0 bytes",
            "Max file size 134217728 134217728 bytes",
        ] {
            #expect(limits.contains(expected.split(separator: " ").map(String.init)), "\(expected)")
        }
        #expect(try report.report() != nil)
    }

    @Test("a process that decodes opens nothing, starts nothing and reaches nobody")
    func fewSystemCalls() {
        let parent = getpid()
        let child = peersync_fork()
        if child == 0 { _exit(whatWorks(against: parent)) }
        var status: Int32 = 0
        #expect(unsafe waitpid(child, &status, 0) == child)
        #expect(status == 0, "one bit for each call that worked, from bit 8 on")
    }

    private func words(_ path: String) throws -> [[String]] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            .map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    }
}

/// Runs in a forked process, where nothing may be allocated: a bit for each call that was not refused.
private func whatWorks(against parent: pid_t) -> Int32 {
    guard peersync_no_new_privileges() == 0, peersync_limit_system_calls() == 0 else { return 255 }
    var worked: Int32 = 0
    let none = unsafe UnsafeMutableRawPointer(bitPattern: -1)
    if unsafe open("/etc/passwd", O_RDONLY) >= 0 { worked |= 1 }
    if socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0 { worked |= 2 }
    if kill(parent, 0) == 0 { worked |= 4 }
    if peersync_fork() >= 0 { worked |= 8 }
    if unsafe mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != none {
        worked |= 16
    }
    let own = unsafe mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    if unsafe own == none || mprotect(own, 4096, PROT_READ | PROT_EXEC) == 0 { worked |= 32 }
    if peersync_die_with_parent() == 0 { worked |= 64 }
    return worked
}

/// A fork server of the program that was built, asked by hand.
///
/// Foundation's Process does not work here: its one thread for all children gets stuck on a child that has
/// closed inherited descriptors.
private final class TestServer {
    private let process: pid_t
    private let requests: FileHandle

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe peersync_socket_pair(&ends) == 0)
        requests = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        defer { close(ends[1]) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
        let words = [TestPlaces.program, DecoderChild.argument, "serve"]
        var pointers = unsafe words.map { unsafe strdup($0) }
        defer { unsafe pointers.forEach { unsafe free($0) } }
        unsafe pointers.append(nil)
        var started: pid_t = 0
        let failure = unsafe posix_spawn(
            &started, TestPlaces.program, &actions, nil, pointers, environ)
        try #require(failure == 0)
        process = started
    }

    deinit {
        // Its forked processes die with it.
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// Asks about a picture; returns where the report comes.
    func send(_ path: String) throws -> FileHandle {
        let picture = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let pipe = Pipe()
        let sent = peersync_send_files(
            requests.fileDescriptor, ForkServer.Mode.read.rawValue, picture.fileDescriptor,
            pipe.fileHandleForWriting.fileDescriptor)
        try #require(sent == 0)
        try pipe.fileHandleForWriting.close()
        return pipe.fileHandleForReading
    }

    /// The confined process of a picture, besides those that are known.
    func child(beside known: Set<pid_t>) async throws -> pid_t {
        while true {
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
                guard let id = pid_t(name), !known.contains(id),
                    let status = try? String(
                        contentsOfFile: "/proc/\(id)/status", encoding: .utf8),
                    status.contains("\nPPid:\t\(process)\n"),
                    status.contains("\nSeccomp:\t2\n")
                else { continue }
                return id
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

extension FileHandle {
    fileprivate func report() throws -> DecoderReport? {
        DecoderReport(decoding: [UInt8](try readToEnd() ?? Data()))
    }
}
