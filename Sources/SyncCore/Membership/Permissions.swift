/// What a grant allows.
package struct Permissions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let read = Permissions(rawValue: 1)
    package static let write = Permissions(rawValue: 2)
    package static let delete = Permissions(rawValue: 4)
    package static let admin = Permissions(rawValue: 8)
    /// Carries ciphertext and reads nothing.
    package static let vault = Permissions(rawValue: 16)

    package static let all: Permissions = [.read, .write, .delete, .admin]
}

/// The permissions people choose from.
package enum Role: String, CaseIterable, Sendable {
    case viewer
    case contributor
    case editor
    case admin

    package var permissions: Permissions {
        switch self {
        case .viewer: [.read]
        case .contributor: [.read, .write]
        case .editor: [.read, .write, .delete]
        case .admin: .all
        }
    }

    /// The greatest role that the flags amount to; nil when they do not even allow reading.
    package init?(_ permissions: Permissions) {
        let fitting = Role.allCases.last { permissions.isSuperset(of: $0.permissions) }
        guard let fitting else { return nil }
        self = fitting
    }
}
