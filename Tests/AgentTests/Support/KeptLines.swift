import Logging
import Synchronization

/// Stores what is logged at one level.
final class KeptLines: LogHandler {
    private let level: Logger.Level
    private let kept = Mutex<[String]>([])

    init(_ level: Logger.Level) { self.level = level }

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
        guard event.level == level else { return }
        kept.withLock { $0.append(event.message.description) }
    }
}
