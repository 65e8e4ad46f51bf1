package import Store
package import SyncCore

/// The answers to invitations, and that the space was revoked from this device, with the time at which it heard: no
/// commit here has them.
package struct Answers: Sendable {
    package struct Answer: Codable, Hashable, Sendable {
        package enum Kind: Sendable {
            case joined, declined
            /// Of a device that was asked to carry the space without reading it.
            case carries
            /// By this commit.
            case revoked(CommitID)
        }

        private let device: String
        private let isYes: Bool
        private let at: UInt64
        private let carries: Bool?
        /// The one that revokes the space.
        private let commit: String?

        init(by device: DeviceID, isYes: Bool, carries: Bool, at time: Milliseconds) {
            self.init(
                device: device.description, isYes: isYes, at: time.value,
                carries: carries ? true : nil)
        }

        fileprivate init(revokedBy commit: CommitID, of device: DeviceID, at time: Milliseconds) {
            self.init(
                device: device.description, isYes: false, at: time.value,
                commit: commit.description)
        }

        /// Nil for what no program wrote.
        package var kind: Kind? {
            if let commit { return CommitID(hexadecimal: commit).map { .revoked($0) } }
            guard isYes else { return .declined }
            return carries == true ? .carries : .joined
        }

        /// Of the person who answered, or who revoked the space; nil for what no program wrote.
        package var author: DeviceID? { DeviceID(hexadecimal: device) }
        package var time: Milliseconds { Milliseconds(at) }

        fileprivate func isRevocation(by commit: CommitID) -> Bool {
            self.commit == commit.description
        }

        fileprivate func dated(atMost time: Milliseconds) -> Answer {
            Answer(
                device: device, isYes: isYes, at: min(at, time.value), carries: carries,
                commit: commit)
        }

        private init(
            device: String, isYes: Bool, at: UInt64, carries: Bool? = nil, commit: String? = nil
        ) {
            (self.device, self.isYes, self.at) = (device, isYes, at)
            (self.carries, self.commit) = (carries, commit)
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
        try keep(answer, in: space)
    }

    /// Keeps once that a commit of a device revoked the space. Throws what the store throws.
    package func keep(
        revocation commit: CommitID, by device: DeviceID, in space: SpaceID, at time: Milliseconds
    ) throws {
        guard try !all(in: space).contains(where: { $0.isRevocation(by: commit) }) else { return }
        try keep(Answer(revokedBy: commit, of: device, at: time), in: space)
    }

    private func keep(_ answer: Answer, in space: SpaceID) throws {
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
