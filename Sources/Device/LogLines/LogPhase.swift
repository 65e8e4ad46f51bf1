internal import Identity
package import Logging
package import SyncCore

/// The part of the work that a log line is about. Transport and Discovery set `connection` and
/// `discovery` themselves.
package enum LogPhase: String, Sendable {
    /// Starting, stopping and other work of the program itself.
    case program
    case connection
    case session
    case sync
    case files
    case pairing
    /// Errors of peers; each peer has its own quota of lines.
    case peer
    case spaces
    case store
    case discovery
    case doctor
}

/// The keys that a line may carry beside time, level and action; everything else that a library
/// reports about an event stands below `details`.
package enum LogKey {
    package static let phase = "phase"
    package static let record = "record"
    package static let details = "details"
    package static let device = "device"
    package static let person = "person"
}

extension Logger {
    /// Writes one line: the event or action in a phase, the record it concerns (a file, commit or
    /// space counts as one), and the device and person.
    ///
    /// From level info on it must contain no title, text, name, code or key: only ids, counts,
    /// addresses and reasons.
    package func note(
        _ level: Level, _ phase: LogPhase, _ action: Message, record: String? = nil,
        device: DeviceID? = nil, person: PersonID? = nil, details: Metadata = [:]
    ) {
        var metadata: Metadata = [LogKey.phase: "\(phase.rawValue)"]
        if let record { metadata[LogKey.record] = "\(record)" }
        if let device { metadata[LogKey.device] = "\(DeviceIDText.short(of: device))" }
        if let person { metadata[LogKey.person] = "\(person.logged)" }
        if !details.isEmpty { metadata[LogKey.details] = .dictionary(details) }
        log(level: level, action, metadata: metadata)
    }
}

extension Identifier {
    /// The first digits of an id, enough to tell it from others in a log; status shows the same
    /// ones.
    package var logged: String { String(hexadecimal(bytes).prefix(8)) }
}
