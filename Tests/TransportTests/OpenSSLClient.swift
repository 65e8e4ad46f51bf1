import Foundation
import Testing

/// Runs `openssl s_client`, a TLS client that is not ours, against a port of the loopback.
struct OpenSSLClient {
    let port: UInt16
    var device: TestDevice?
    var application: String? = "peersync/1"
    var options = ["-tls1_3"]
    /// If false, the program's report of the handshake precedes the received bytes.
    var isQuiet = true

    struct Outcome {
        /// The bytes that the server sent, decrypted.
        let received: Data
        /// The program's report about the handshake.
        let report: String
        /// Whether the server closed the connection, not the test's time limit.
        let ended: Bool
    }

    /// Sends `input`, then keeps the connection open until the other side closes it, or until
    /// `closesWhen` is satisfied with the received bytes and the client says goodbye.
    func run(
        sending input: [UInt8] = [], closesWhen: ((Data) -> Bool)? = nil
    ) async throws -> Outcome {
        let directory = try makeTemporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        var arguments =
            ["openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-ign_eof", "-nocommands"]
            + options + (isQuiet ? ["-quiet"] : [])
        if let application { arguments += ["-alpn", application] }
        if let device {
            for (name, text) in [("cert", device.certificatePEM), ("key", device.privateKeyPEM)] {
                let file = directory.appending(path: name)
                try Data(text.utf8).write(to: file)
                arguments += ["-\(name)", file.path]
            }
        }
        if closesWhen != nil { arguments += ["-no_ign_eof"] }
        process.arguments = arguments
        let output = directory.appending(path: "output")
        let report = directory.appending(path: "report")
        for file in [output, report] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: report)
        let pipe = Pipe()
        process.standardInput = pipe
        let ended = try await wait(for: process) {
            // The program may exit before it reads.
            try? pipe.fileHandleForWriting.write(contentsOf: Data(input))
            guard let closesWhen else { return }
            _ = await eventually {
                let received = (try? Data(contentsOf: output)) ?? Data()
                return closesWhen(received) || !process.isRunning
            }
            try? pipe.fileHandleForWriting.close()
        }
        return Outcome(
            received: try Data(contentsOf: output),
            report: String(decoding: try Data(contentsOf: report), as: UTF8.self), ended: ended)
    }

    private func wait(for process: Process, started: () async -> Void) async throws -> Bool {
        let exits = AsyncStream<Bool>.makeStream()
        process.terminationHandler = { _ in exits.continuation.yield(true) }
        try process.run()
        await started()
        let limit = Task {
            try await Task.sleep(for: .seconds(15))
            exits.continuation.yield(false)
        }
        var iterator = exits.stream.makeAsyncIterator()
        let ended = await iterator.next() ?? false
        limit.cancel()
        if !ended { process.terminate() }
        return ended
    }
}
