internal import Foundation
internal import Subprocess
internal import SystemPackage

/// The decoder as a child process; cancelling the task that waits for it kills it.
struct ChildProgram: Sendable {
    private let executable: Executable

    init(executable: String) { self.executable = .path(FilePath(executable)) }

    /// Converts a picture. Returns the child's exit code; nil when it could not be started or was killed.
    func convert(_ path: String, to output: String) async -> Int32? {
        do {
            let end = try await Subprocess.run(
                executable, arguments: arguments([DecoderChild.converting, path, output]),
                environment: ChildProgram.environment(), output: .discarded, error: .discarded)
            guard case .exited(let code) = end.terminationStatus else { return nil }
            return code
        } catch {
            return nil
        }
    }

    /// Runs a ``ForkServer`` that reads requests from this socket, until it ends. Closes the socket here as
    /// soon as the child has it, or could not be started.
    func serve(_ requests: OpenFile) async {
        var requests: OpenFile? = requests
        guard let descriptor = requests?.descriptor else { return }
        // The exit code does not matter: a picture without an answer counts as failed.
        _ = try? await Subprocess.run(
            executable, arguments: arguments([DecoderChild.serving]),
            environment: ChildProgram.environment(),
            input: .fileDescriptor(
                FileDescriptor(rawValue: descriptor), closeAfterSpawningProcess: false),
            output: .discarded, error: .discarded
        ) { _ in requests = nil }
    }

    private func arguments(_ words: [String]) -> Arguments {
        Arguments([DecoderChild.argument] + words)
    }

    /// Only variables for finding programs and libraries: no secret reaches the child.
    private static func environment() -> Environment {
        let ours = ProcessInfo.processInfo.environment
        var environment: [Environment.Key: String] = [
            // Each arena of the allocator takes 64 MiB of the child's limited address space.
            "MALLOC_ARENA_MAX": "2",
            // A crash must end the child at once, not after minutes of printing its stack.
            "SWIFT_BACKTRACE": "enable=no", "PATH": ours["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
        ]
        environment["LD_LIBRARY_PATH"] = ours["LD_LIBRARY_PATH"]
        return .custom(environment)
    }
}
