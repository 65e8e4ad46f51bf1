/// What this device or its person is to be called.
package struct NameDraft: Codable, Sendable, Hashable {
    package let name: String

    package init(name: String) { self.name = name }
}

/// What became of a name.
package struct RenameView: Codable, Sendable, Equatable {
    package let was: String
    package let name: String
    /// True for the person, false for this device.
    package let person: Bool
    /// Trips whose role does not allow to write the name: there it stays as it was.
    package let untold: [Reference]

    package init(was: String, name: String, person: Bool, untold: [Reference]) {
        (self.was, self.name, self.person, self.untold) = (was, name, person, untold)
    }
}
