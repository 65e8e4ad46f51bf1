/// A new name for this device or its person.
package struct NameDraft: Codable, Sendable, Hashable {
    package let name: String

    package init(name: String) { self.name = name }
}

/// The result of renaming.
package struct RenameView: Codable, Sendable, Equatable {
    package let was: String
    package let name: String
    /// True for the person, false for this device.
    package let person: Bool
    /// Trips in which the role does not allow writing the name: there it is unchanged.
    package let untold: [Reference]

    package init(was: String, name: String, person: Bool, untold: [Reference]) {
        (self.was, self.name, self.person, self.untold) = (was, name, person, untold)
    }
}
