package import Store
package import SyncCore

/// The answers to invitations, and when this device heard of them: no commit has them.
package struct Answers: Sendable {
    package struct Answer: Codable, Hashable, Sendable {
        private let device: String
        package let isYes: Bool
        private let at: UInt64
        /// True for a device that was asked to carry the space without reading it.
        private let carries: Bool?

        init(by device: DeviceID, isYes: Bool, carries: Bool, at time: Milliseconds) {
            self.init(
                device: device.description, isYes: isYes, at: time.value,
                carries: carries ? true : nil)
        }

        /// Of the person who answered; nil for what no program wrote.
        package var author: DeviceID? { DeviceID(hexadecimal: device) }
        package var time: Milliseconds { Milliseconds(at) }
        package var isOfVault: Bool { carries ?? false }

        fileprivate func dated(atMost time: Milliseconds) -> Answer {
            Answer(device: device, isYes: isYes, at: min(at, time.value), carries: carries)
        }

        private init(device: String, isYes: Bool, at: UInt64, carries: Bool?) {
            (self.device, self.isYes, self.at, self.carries) = (device, isYes, at, carries)
        }
    }

    private let store: SyncStore

    package init(_ store: SyncStore) { self.store = store }

    /// Of a space, the latest last. Throws what the store throws.
    package func all(in space: SpaceID) throws -> [Answer] { try list(space).all(in: store) }

    /// Throws what the store throws.
    package func keep(
        _ isYes: Bool, by device: DeviceID, in space: SpaceID, at time: Milliseconds
    ) throws {
        let vaults = store.ledger(of: space)?.membership.vaults ?? []
        let answer = Answer(
            by: device, isYes: isYes, carries: vaults.contains(device), at: time)
        try list(space).change(in: store) { ($0 + [answer]).suffix(Limits.answersKept) }
    }

    /// Answers that came while the clock was ahead came at the latest at this time. Throws what the store throws.
    func date(atMost time: Milliseconds, in space: SpaceID) throws {
        let list = list(space)
        let known = try list.all(in: store)
        guard known.contains(where: { $0.time > time }) else { return }
        try list.change(in: store) { $0.map { $0.dated(atMost: time) } }
    }

    private func list(_ space: SpaceID) -> StoredList<Answer> {
        StoredList(key: "answers.\(space)")
    }
}

extension Limits {
    /// Answers of one space that `log` can tell: more than the people of any trip give.
    static let answersKept = 256
}
