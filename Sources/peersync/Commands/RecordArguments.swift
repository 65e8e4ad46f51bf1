internal import ArgumentParser
internal import LocalAPI

/// The collection that every record command works on.
struct CollectionArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(OptionHelp.recordSpace, valueName: "space"),
        completion: .names(of: .space)) var space: String

    @Argument(help: ArgumentHelp(OptionHelp.collection, valueName: "collection"))
    var collection: String

    var scope: RecordScope { RecordScope(space: space, collection: collection) }
}

/// Where a record is to stand among the others.
struct PlaceOptions: ParsableArguments {
    @Option(help: ArgumentHelp(OptionHelp.before, valueName: "record")) var before: String?

    @Option(help: ArgumentHelp(OptionHelp.after, valueName: "record")) var after: String?

    @Flag(help: ArgumentHelp(OptionHelp.first)) var first = false

    @Flag(help: ArgumentHelp(OptionHelp.last)) var last = false

    var place: RecordPlace? {
        guard before != nil || after != nil || first || last else { return nil }
        return RecordPlace(before: before, after: after, first: first)
    }
}
