internal import Foundation
internal import LocalAPI
package import Store
package import SyncCore

/// What people answered to invitations, and when this device heard of it: no commit says that.
package struct Answers: Sendable {
    package struct Answer: Codable, Hashable, Sendable {
        private let device: String
        package let isYes: Bool
        private let at: UInt64

        init(by device: DeviceID, isYes: Bool, at time: Milliseconds) {
            (self.device, self.isYes, at) = (device.description, isYes, time.value)
        }

        /// Of the person who answered; nil for what no program wrote.
        package var author: DeviceID? { DeviceID(hexadecimal: device) }
        package var time: Milliseconds { Milliseconds(at) }
    }

    private static let prefix = "answers."
    private let store: SyncStore

    package init(_ store: SyncStore) { self.store = store }

    /// Of every space, the latest last. Throws what the store throws.
    package func all() throws -> [SpaceID: [Answer]] {
        try store.settings().reduce(into: [:]) { found, setting in
            guard setting.key.hasPrefix(Self.prefix),
                let space = SpaceID(hexadecimal: setting.key.dropFirst(Self.prefix.count))
            else { return }
            found[space] = try JSONCoding.decode([Answer].self, from: Data(setting.value.utf8))
        }
    }

    /// Throws what the store throws.
    package func keep(
        _ isYes: Bool, by device: DeviceID, in space: SpaceID, at time: Milliseconds
    ) throws {
        let list = StoredList<Answer>(key: "\(Self.prefix)\(space)")
        let known = try list.all(in: store)
        let answer = Answer(by: device, isYes: isYes, at: time)
        try list.keep((known + [answer]).suffix(Limits.answersKept), in: store)
    }
}

extension Limits {
    /// Answers of one space that `log` can tell: more than the people of any trip give.
    static let answersKept = 256
}
