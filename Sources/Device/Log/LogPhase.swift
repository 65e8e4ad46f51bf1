internal import Identity
package import Logging
package import SyncCore

/// Which part of the work a line of the log is about. Transport and Discovery say `connection` and
/// `discovery` by themselves.
package enum LogPhase: String, Sendable {
    /// Starting, stopping, what the program itself does.
    case program
    case connection
    case session
    case sync
    case files
    case pairing
    /// What others did wrong, each with an account of its own.
    case peer
    case spaces
    case store
    case discovery
    case doctor
}

/// The keys a line may carry beside time, level and action; whatever else a library says of an
/// event stands below `details`.
package enum LogKey {
    package static let phase = "phase"
    package static let record = "record"
    package static let details = "details"
    package static let device = "device"
    package static let person = "person"
}

extension Logger {
    /// One line: what was done or happened in a phase, to which record (a file, commit or space
    /// counts as one), with which device and person.
    ///
    /// From level info on nothing of it may be a title, a text, a name, a code or a key: ids,
    /// counts, addresses and reasons only.
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
    /// Enough of an id to tell it from others in a log: as status shows persons and trips.
    package var logged: String { String(hexadecimal(bytes).prefix(8)) }
}
