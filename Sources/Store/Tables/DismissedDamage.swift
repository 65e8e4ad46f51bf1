internal import GRDB
internal import SyncCore

/// Losses that the person dismissed: status no longer reports them. Commits of them that come later count as any
/// others.
struct DismissedDamage: Hashable, Sendable {
    /// The loss of a log.
    struct Loss: Hashable, Sendable {
        /// Up to where the log is here.
        var after: UInt64
        /// Up to where it had been.
        let sequence: UInt64
        /// How many changes are neither here nor waiting.
        let count: Int
    }

    private var losses: [SpaceID: [LogID: Loss]] = [:]
    /// Of which everything was lost.
    private(set) var spaces: Set<SpaceID> = []

    init() {}

    var isEmpty: Bool { losses.isEmpty && spaces.isEmpty }

    /// Whether a loss is no greater than the dismissed one of its log.
    func covers(_ loss: Loss, of log: LogID, in space: SpaceID) -> Bool {
        guard let dismissed = losses[space]?[log] else { return false }
        return dismissed.after <= loss.after && loss.sequence <= dismissed.sequence
            && loss.count <= dismissed.count
    }

    mutating func add(_ loss: Loss, of log: LogID, in space: SpaceID) {
        losses[space, default: [:]][log] = loss
    }

    mutating func add(emptied space: SpaceID) { spaces.insert(space) }

    /// Removes what is here by now: losing it again is a new loss.
    mutating func narrow(to ledger: SpaceLedger) {
        spaces.remove(ledger.space)
        guard let logs = losses[ledger.space] else { return }
        var open: [LogID: Loss] = [:]
        for (log, loss) in logs {
            let here = ledger.watermark.sequence(of: log)
            guard here < loss.sequence, ledger.forks[log] == nil else { continue }
            open[log] = loss
            open[log]?.after = max(loss.after, here)
        }
        losses[ledger.space] = open.isEmpty ? nil : open
    }
}

/// Kept in one setting for all spaces, as the file beside the store lists settings. It has a line for each loss, with
/// identifiers in hexadecimal digits:
/// ```
/// space                                             everything of a space
/// space device incarnation after sequence count     the end of a log
/// ```
extension DismissedDamage {
    private static let setting = "user.dismissedDamage"

    /// A line that cannot be read dismisses nothing.
    init(from database: Database) throws {
        let text = try Settings.text(DismissedDamage.setting, in: database) ?? ""
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let space = words.first.flatMap({ SpaceID(hexadecimal: $0) }) else { continue }
            if words.count == 1 {
                spaces.insert(space)
            } else if words.count == 6, let device = DeviceID(hexadecimal: words[1]),
                let incarnation = bytes(hexadecimal: words[2]).flatMap({ Incarnation($0) }),
                let after = UInt64(words[3]),
                let sequence = UInt64(words[4]), let count = Int(words[5])
            {
                losses[space, default: [:]][LogID(device: device, incarnation: incarnation)] =
                    Loss(after: after, sequence: sequence, count: count)
            }
        }
    }

    func save(in database: Database) throws {
        var lines = spaces.map(\.description)
        for (space, logs) in losses {
            lines += logs.map { log, loss in
                let name = "\(space) \(log.device) \(hexadecimal(log.incarnation.bytes))"
                return "\(name) \(loss.after) \(loss.sequence) \(loss.count)"
            }
        }
        let text = lines.isEmpty ? nil : lines.sorted().joined(separator: "\n")
        try Settings.set(DismissedDamage.setting, text.map { Array($0.utf8) }, in: database)
        let again = try DismissedDamage(from: database)
        Invariants.check(again == self, "what was dismissed is read otherwise")
    }
}
