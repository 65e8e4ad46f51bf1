import Logging
import SyncCore
import Synchronization
import Testing
import Transport

extension TransportTests {
    @Suite("Lines about peers' errors")
    struct PeerErrorLogTests {
        private let written = WrittenLines()
        private let start = ContinuousClock.now

        private var log: PeerErrorLog {
            let written = written
            return PeerErrorLog(logger: Logger(label: "test") { _ in written })
        }

        @Test("Each error is one line, until a peer makes too many: further ones are counted")
        func flood() {
            // Given a log and a peer with twice as many errors as it may have lines
            let log = log
            for _ in 0..<2 * Limits.peerErrorLines { log.note("10.0.0.1", "noise", at: start) }
            #expect(written.lines.count == Limits.peerErrorLines)
            // When another peer has its first
            log.note("10.0.0.2", "noise", at: start)
            // Then that one has its line
            #expect(written.lines.last == "peer error peer=10.0.0.2 why=noise")
            // And a later line of the first gives the number of errors that it stands for
            let later = start + .seconds(Limits.peerErrorSeconds)
            log.note("10.0.0.1", "noise", at: later)
            #expect(
                written.lines.last
                    == "peer error peer=10.0.0.1 unsaid=\(Limits.peerErrorLines) why=noise")
            log.note("10.0.0.1", "noise", at: later)
            #expect(written.lines.count == Limits.peerErrorLines + 2)
        }

        @Test("With very many peers few accounts are kept, and every error is counted")
        func manyPeers() {
            let log = log
            let peers = 4 * Limits.peerErrorAccounts
            for number in 0..<peers { log.note("peer \(number)", "noise", at: start) }
            #expect(written.lines.count <= Limits.peerErrorAccounts + Limits.peerErrorLines + 1)
            log.flush()
            let unsaid = written.lines.compactMap { line in
                line.split(separator: " ").first { $0.hasPrefix("unsaid=") }
                    .flatMap { Int($0.dropFirst("unsaid=".count)) }
            }
            let said = written.lines.count { $0.hasPrefix("peer error ") }
            #expect(said + unsaid.reduce(0, +) == peers)
        }

        @Test("A peer that was quiet for long is forgotten")
        func quiet() {
            let log = log
            for number in 0..<Limits.peerErrorAccounts {
                log.note("peer \(number)", "noise", at: start)
            }
            let later = start + .seconds(Limits.peerErrorSeconds * Limits.peerErrorLines)
            // The first one finds no account, but makes room for the next.
            log.note("late", "noise", at: later)
            log.note("later", "noise", at: later)
            #expect(written.lines.last == "peer error peer=later why=noise")
        }

        @Test("The length of a line is bounded")
        func long() {
            log.note("a", String(repeating: "x", count: 10_000), at: start)
            #expect(written.lines.allSatisfy { $0.utf8.count < Limits.peerErrorBytes + 50 })
        }
    }
}

/// Stores the logged lines, each with its metadata in the order of keys.
private final class WrittenLines: LogHandler {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        guard case .dictionary(let metadata) = event.metadata?["details"] else { return }
        let details = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        kept.withLock { $0.append(event.message.description + details.joined()) }
    }
}
