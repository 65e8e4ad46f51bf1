/// What a grant allows.
package struct Permissions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let read = Permissions(rawValue: 1)
    package static let write = Permissions(rawValue: 2)
    package static let delete = Permissions(rawValue: 4)
    package static let admin = Permissions(rawValue: 8)
    /// Carries what is sealed and reads nothing of it.
    package static let vault = Permissions(rawValue: 16)

    package static let contributor: Permissions = [.read, .write]
    package static let editor: Permissions = [.read, .write, .delete]
    package static let all: Permissions = [.read, .write, .delete, .admin]

    /// Whether who has these is sent a space, to read it or to carry it.
    package var mayHold: Bool { !isDisjoint(with: [.read, .vault]) }
}
