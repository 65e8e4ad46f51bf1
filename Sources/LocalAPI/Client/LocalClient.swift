internal import Dispatch
internal import FoundationEssentials
internal import HTTPTypes

/// Talks to a running agent over its unix socket, with the same interface as the agent itself.
///
/// Each call has its own connection and thread, so that nothing must be kept alive. Cancelling the task
/// closes the connection. Calls throw ``APIError``: the agent's own, or one with code `noAgent` when nobody
/// answers at the socket.
package struct LocalClient: AgentService {
    private let socketPath: String
    private let heard = HeardAge()
    private let first = FirstConnection()
    private let waiting = WaitingCalls()

    /// `socketPath` is absolute.
    package init(socketPath: String) { self.socketPath = socketPath }

    /// How the agent compares with this program; nil before it answered.
    package var agentAge: AgentAge? { heard.value }

    /// Whether an agent listens at the socket.
    package var isAnswered: Bool {
        do {
            first.keep(try connected())
            return true
        } catch {
            return false
        }
    }

    /// Since when calls wait without a byte from the agent; nil while none waits.
    package var silentSince: ContinuousClock.Instant? { waiting.silentSince }

    /// Ends the calls that wait: they throw this error.
    package func endCalls(with error: APIError) { waiting.endAll(with: error) }

    /// Whether the agent identifies itself within a time, or reports that it cannot.
    package func isResponding(within limit: Duration) async -> Bool {
        do {
            return try await answer(within: limit) { try await call(\.agent.info) } != nil
        } catch let error as APIError where error.code == .noAgent {
            return false
        } catch {
            return true
        }
    }

    /// The answer to a request; nil when none comes within a time.
    package func answer<Answer: Sendable>(
        within limit: Duration, _ request: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer? {
        try await withThrowingTaskGroup(of: Answer?.self) { group in
            group.addTask { try await request() }
            group.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    /// The process that listens at the socket; nil when none does.
    package var agentProcess: Int32? {
        // A new connection may have to wait itself.
        waiting.listener ?? LocalSocket(connectingTo: socketPath)?.listener
    }

    /// Reports the progress of an operation that supports it. If the task is cancelled meanwhile, tells the
    /// agent, which answers whether it was too late; for one that only reads nobody waits. Throws ``APIError`` or
    /// `CancellationError`.
    package func answer<Input, Answer>(
        _ operation: Operation<Input, Answer>, id: String, _ input: Input
    ) async throws -> Answer {
        let request = try Self.request(operation, id: id, input)
        let socket = try connected()
        let sink = operation.reportsProgress ? ProgressSink.current : nil
        try Task.checkCancellation()
        let call = waiting.begin(socket)
        defer { waiting.end(call) }
        do {
            return try await withTaskCancellationHandler {
                try await Self.onOwnThread {
                    socket.send(request)
                    var reader = try AnswerReader { received(on: socket) }
                    heard.note(product: reader.product)
                    guard reader.status == 200 else { throw try failure(&reader) }
                    return operation.reportsProgress
                        ? try follow(&reader, sink)
                        : try decode(
                            Answer.self, try reader.body(upTo: LocalLimits.answerBytes))
                }
            } onCancel: {
                if operation.mayBeTooLate { socket.endSending() } else { socket.end() }
            }
        } catch let error as APIError where error == .stopped || error == .agentWentAway {
            if !operation.mayBeTooLate { try Task.checkCancellation() }
            if let failure = waiting.end(call) { throw failure }
            try Task.checkCancellation()
            throw error
        }
    }

    private func received(on socket: LocalSocket) -> [UInt8] {
        let bytes = socket.receive()
        if !bytes.isEmpty { waiting.heard() }
        return bytes
    }

    /// Reports progress until the last line.
    private func follow<Answer: Codable & Sendable>(
        _ reader: inout AnswerReader, _ sink: ProgressSink?
    ) throws -> Answer {
        while let line = try reader.line(upTo: LocalLimits.answerBytes) {
            let line = try decode(ProgressLine<Answer>.self, line)
            if let progress = line.progress { sink?(progress) }
            if let error = line.error { throw error }
            if let answer = line.answer { return answer }
        }
        throw APIError.agentWentAway
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, _ bytes: Data
    ) throws -> Value {
        do {
            return try JSONCoding.decode(type, from: bytes)
        } catch let error as DecodingError {
            throw heard.value?.error ?? APIError.strangeAnswer(detail: error.shortDescription)
        }
    }

    private func failure(_ reader: inout AnswerReader) throws -> APIError {
        let body = try reader.body(upTo: LocalLimits.answerBytes)
        do {
            let error = try JSONCoding.decode(APIError.self, from: body)
            return error == .unknownRequest ? heard.value?.error ?? error : error
        } catch {
            return heard.value?.error ?? .strangeAnswer(detail: "\(reader.status)")
        }
    }

    private static func request<Input, Answer>(
        _ operation: Operation<Input, Answer>, id: String, _ input: Input
    ) throws -> [UInt8] {
        let (target, body) = try operation.sent(id: id, input)
        var lines = [
            "\(operation.method.rawValue) \(target) HTTP/1.1", "host: peersync",
            "connection: close", "content-length: \(body?.count ?? 0)",
            "accept-language: \(Language.current.rawValue)",
        ]
        if operation.reportsProgress {
            lines.append("accept: \(ProgressLine<NoInput>.mediaType)")
        }
        if body != nil { lines.append("content-type: application/json") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? Data())
    }

    /// Runs blocking work on a thread of its own.
    private static func onOwnThread<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "peersync.local-client").async {
                continuation.resume(with: Result(catching: work))
            }
        }
    }

    private func connected() throws(APIError) -> LocalSocket {
        if let socket = first.consume() { return socket }
        guard socketPath.utf8.count <= LocalLimits.socketPathBytes else {
            throw APIError.socketPathTooLong(socketPath)
        }
        guard let socket = LocalSocket(connectingTo: socketPath) else {
            throw APIError(
                code: .noAgent, sentence: "No agent answers on this computer.",
                hint: "Start one: \(Sentence.startAgent)")
        }
        return socket
    }
}
