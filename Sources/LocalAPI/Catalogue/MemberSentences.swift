/// Granting, revoking and requesting rights in a trip.
extension Sentence {
    package enum Member {
        /// `a`, `a and b`, `a, b and c`.
        package static func list(_ words: [String]) -> String {
            guard let last = words.last, words.count > 1 else { return words.first ?? "" }
            return words.dropLast().joined(separator: ", ") + tr(" and ") + last
        }

        /// The smallest role that has all of some rights.
        package static func role(with rights: [Right]) -> Role {
            Role.allCases.first { Set($0.rights).isSuperset(of: rights) } ?? .admin
        }

        package static func asks(_ rights: [Right]) -> String {
            tr("asks to \(verbs(rights))")
        }

        static func verbs(_ rights: [Right]) -> String { list(rights.map(\.verb)) }
    }
}

extension Right {
    /// After "may".
    package var verb: String {
        switch self {
        case .read: tr("read", context: "may")
        case .write: tr("write", context: "may")
        case .delete: tr("delete", context: "may")
        case .admin: tr("give it to others", context: "may")
        }
    }
}
