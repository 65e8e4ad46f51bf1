internal import ArgumentParser
internal import LocalAPI

/// The collection that every record command works on.
struct CollectionArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(OptionHelp.recordSpace, valueName: "space"),
        completion: .names(of: .space)) var space: String

    @Argument(help: .tr("Collection, as the schema calls it.", valueName: "collection"))
    var collection: String

    var scope: RecordScope { RecordScope(space: space, collection: collection) }
}

/// The position of a record among the others.
struct PlaceOptions: ParsableArguments {
    @Option(help: .tr("Place it right before this record.", valueName: "record"))
    var before: String?

    @Option(help: .tr("Place it right after this record.", valueName: "record"))
    var after: String?

    @Flag(help: .tr("Place it before all others."))
    var first = false

    @Flag(help: .tr("Place it after all others."))
    var last = false

    var place: RecordPlace? {
        guard before != nil || after != nil || first || last else { return nil }
        return RecordPlace(before: before, after: after, first: first)
    }
}
