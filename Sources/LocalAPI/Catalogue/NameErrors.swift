/// A kind of thing that people name on the command line.
package enum NamedThing: Sendable, CaseIterable {
    case trip, space, memory, device, person, media, tag, bucketItem, pairing, conflict, thing,
        deleted

    package var noun: String {
        switch self {
        case .trip: "trip"
        case .space: "space"
        case .memory: "memory"
        case .device: "device"
        case .person: "person"
        case .media: "photo or file"
        case .tag: "tag"
        case .bucketItem: "item on the bucket list"
        case .pairing: "pairing"
        case .conflict: "conflict"
        case .thing: "record or file"
        case .deleted: "deleted trip or record"
        }
    }

    package var plural: String {
        switch self {
        case .trip: "trips"
        case .space: "spaces"
        case .memory: "memories"
        case .device: "devices"
        case .person: "people"
        case .media: "photos or files"
        case .tag: "tags"
        case .bucketItem: "items on the bucket list"
        case .pairing: "pairings"
        case .conflict: "conflicts"
        case .thing: "records or files"
        case .deleted: "deleted trips or records"
        }
    }

    /// The command that lists them.
    fileprivate var listCommand: String {
        switch self {
        case .trip: "peersync trip list"
        case .space: "peersync space list"
        case .memory: "peersync memory list"
        case .device, .person: "peersync device list"
        case .media: "peersync media list"
        case .tag: "peersync tag list"
        case .bucketItem: "peersync bucket list"
        case .pairing: "peersync status"
        case .conflict: "peersync conflicts"
        case .thing: "peersync record list SPACE COLLECTION"
        case .deleted: "peersync bin --all"
        }
    }
}

/// Errors about names and ids.
extension APIError {
    /// `similar` are names that may have been meant.
    package static func unknown(
        _ thing: NamedThing, _ name: String, similar: [String] = []
    ) -> APIError {
        let hint =
            switch thing {
            case _ where !similar.isEmpty:
                "Did you mean \(similar.map { Sentence.name($0) }.joined(separator: " or "))? "
                    + "See what there is: \(thing.listCommand)"
            case .person:
                "People appear once you pair with one of their devices. "
                    + "See who is known: \(thing.listCommand)"
            case .device: "Devices appear once you pair with them. See them: \(thing.listCommand)"
            default: "See what there is: \(thing.listCommand)"
            }
        return APIError(
            code: .notFound, sentence: "There is no \(thing.noun) called \(Sentence.name(name)).",
            hint: hint)
    }

    package static func ambiguous(
        _ thing: NamedThing, _ name: String, candidates: [Reference]
    ) -> APIError {
        APIError(
            code: .ambiguous,
            sentence: "\(Sentence.name(name)) could mean \(candidates.count) \(thing.plural):",
            hint: "Type more of the name, or the first letters of an id.", candidates: candidates)
    }
}
