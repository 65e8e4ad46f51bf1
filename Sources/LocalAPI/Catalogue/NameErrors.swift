/// A kind of thing that people name on the command line.
package enum NamedThing: Sendable, CaseIterable {
    case trip, space, memory, device, person, media, tag, bucketItem, pairing, conflict, thing,
        deleted, moment

    /// How a sentence begins.
    fileprivate var missing: String {
        switch self {
        case .trip: tr("There is no trip")
        case .space: tr("There is no space")
        case .memory: tr("There is no memory")
        case .device: tr("There is no device")
        case .person: tr("There is no person")
        case .media: tr("There is no photo or file")
        case .tag: tr("There is no tag")
        case .bucketItem: tr("There is no item on the bucket list")
        case .pairing: tr("There is no pairing")
        case .conflict: tr("There is no conflict")
        case .thing: tr("There is no record or file")
        case .deleted: tr("There is no deleted trip or record")
        case .moment: tr("There is no moment")
        }
    }

    fileprivate var plural: String {
        switch self {
        case .trip: tr("trips")
        case .space: tr("spaces")
        case .memory: tr("memories")
        case .device: tr("devices")
        case .person: tr("people")
        case .media: tr("photos or files")
        case .tag: tr("tags")
        case .bucketItem: tr("items on the bucket list")
        case .pairing: tr("pairings")
        case .conflict: tr("conflicts")
        case .thing: tr("records or files")
        case .deleted: tr("deleted trips or records")
        case .moment: tr("moments")
        }
    }

    /// The command that lists them.
    fileprivate var listCommand: String {
        switch self {
        case .trip: "peersync trip list"
        case .space: "peersync space list"
        case .memory: "peersync memory list"
        case .device: "peersync device list"
        case .person: "peersync person list"
        case .media: "peersync media list"
        case .tag: "peersync tag list"
        case .bucketItem: "peersync bucket list"
        case .pairing: "peersync status"
        case .conflict: "peersync conflicts"
        case .thing:
            tr("peersync memory list; in other spaces: peersync record list SPACE COLLECTION")
        case .deleted: "peersync bin --all"
        case .moment: "peersync history marks"
        }
    }
}

/// Errors about names and ids.
extension APIError {
    /// `similar` are names that may have been meant.
    package static func unknown(
        _ thing: NamedThing, _ name: String, similar: [String] = []
    ) -> APIError {
        let hint: Message =
            switch thing {
            case _ where !similar.isEmpty:
                tr(
                    "Did you mean \(Sentence.names(similar))? See what there is: \(thing.listCommand)"
                )
            case .person:
                tr(
                    """
                    People appear once you pair with one of their devices. See who is known: \
                    \(thing.listCommand)
                    """)
            case .device:
                tr("Devices appear once you pair with them. See them: \(thing.listCommand)")
            default: tr("See what there is: \(thing.listCommand)")
            }
        return APIError(
            code: .notFound, sentence: "\(thing.missing) called \(Sentence.name(name)).",
            hint: hint)
    }

    /// A hint with the most similar names; nil when none is similar.
    package static func didYouMean(_ typed: String, among known: [String]) -> Message? {
        let similar = SimilarNames.of(typed, among: known)
        return similar.isEmpty ? nil : tr("Did you mean \(Sentence.names(similar))?")
    }

    package static func ambiguous(
        _ thing: NamedThing, _ name: String, candidates: [Reference]
    ) -> APIError {
        APIError(
            code: .ambiguous,
            sentence: "\(Sentence.name(name)) could mean \(candidates.count) \(thing.plural):",
            hint: Set(candidates.map(\.name)).count == 1
                ? "Type the first letters of one of the ids."
                : "Type more of the name, or the first letters of an id.",
            candidates: candidates)
    }
}
