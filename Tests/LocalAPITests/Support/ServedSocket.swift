import Foundation
import LocalAPI

/// Runs a real server on a real socket in a directory of its own while `body` talks to it.
func withServer<Value: Sendable>(
    _ service: any AgentService, allowedUser: UInt32 = geteuid(),
    _ body: @escaping @Sendable (_ socketPath: String) async throws -> Value
) async throws -> Value {
    let directory = try temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/agent.sock"
    let server = LocalServer(
        handlers: HandlerTable(service), socketPath: path, allowedUser: allowedUser)
    let (ready, listening) = AsyncStream.makeStream(of: Void.self)
    let running = Task {
        defer { listening.finish() }
        try await server.run { listening.yield() }
    }
    for await _ in ready { break }
    let result: Result<Value, any Error>
    do {
        result = .success(try await body(path))
    } catch {
        result = .failure(error)
    }
    running.cancel()
    _ = await running.result
    return try result.get()
}

extension HandlerTable {
    /// Every operation, answered by `service`.
    init(_ service: any AgentService) {
        self.init()
        for case (_, let operation as any ServedOperation) in API.operations {
            operation.serve(by: service, in: &self)
        }
    }
}

private protocol ServedOperation {
    func serve(by service: any AgentService, in table: inout HandlerTable)
}

extension LocalAPI.Operation: ServedOperation {
    fileprivate func serve(by service: any AgentService, in table: inout HandlerTable) {
        table.on({ _ in self }) { try await service.answer(self, id: $0, $1) }
    }
}

/// A new directory with a short path, mode 0700.
func temporaryDirectory() throws -> String {
    let path = "/tmp/peersync-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    return path
}
