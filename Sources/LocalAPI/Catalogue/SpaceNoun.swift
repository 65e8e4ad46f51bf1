/// The word for a space in a command and its help: a trip is a space of the journal.
package enum SpaceNoun: String, Sendable, CustomStringConvertible {
    case trip, space

    package init(isTrip: Bool) { self = isTrip ? .trip : .space }

    package var description: String { rawValue }

    /// As people say it.
    package var word: Message { self == .trip ? tr("trip") : tr("space") }
    package var the: Message { self == .trip ? tr("the trip") : tr("the space") }
    package var encrypted: Message { self == .trip ? tr("encrypted trip") : tr("encrypted space") }

    package var argument: String { tr("Name of a \(word), or the first letters of its id.") }
    package var deletedArgument: String {
        tr("Name of a deleted \(word), or the first letters of its id.")
    }

    /// `peersync trip show Arezzo`, with the name of an example.
    package func typed(_ command: String, _ rest: String = "") -> String {
        let name = self == .trip ? tr("Arezzo") : tr("Home")
        return "peersync \(self) \(command) \(name)" + (rest.isEmpty ? "" : " \(rest)")
    }
}
