import LocalAPI
import Synchronization

/// Answers every operation with a sample and records the requests as text.
final class RecordingService: AgentService {
    private let calls = Mutex<[String]>([])
    private let failure: (any Error)?
    private let delay: Duration

    init(failure: (any Error)? = nil, delay: Duration = .zero) {
        self.failure = failure
        self.delay = delay
    }

    /// Everything asked so far, in order.
    var asked: [String] { calls.withLock { $0 } }

    func answer<Input, Answer>(
        _ operation: Operation<Input, Answer>, id: String, _ input: Input
    ) async throws -> Answer {
        try await Task.sleep(for: delay)
        // As JSON, whose keys have one order.
        let json = String(decoding: try JSONCoding.encode(input), as: UTF8.self)
        calls.withLock { $0.append("\(operation.request) \(id) \(json)") }
        if let failure { throw failure }
        return try SampleMaker.make(Answer.self)
    }
}
