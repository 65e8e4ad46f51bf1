internal import LocalAPI

/// The findings of a check of a space, in words.
enum SpaceCheckWords {
    /// `space` is its name for typing; `field` is one of the schema.
    static func words(
        _ kind: SpaceCheckView.Kind, _ count: Int, of collection: String, field: String?,
        in space: String
    ) -> Sentence.Doctor.Words {
        let noun = Sentence.Changes.noun(collection)
        let records = tr(
            "\(Sentence.count(count, "record", "records")) of \(noun)",
            context: "records, collection")
        let by = field.map { Sentence.name(Sentence.Changes.field($0)) } ?? ""
        let place = tr("\(Sentence.quoted(space)) \(Sentence.plain(collection)) RECORD")
        let isOne = count == 1
        switch kind {
        case .incomplete:
            return Sentence.Doctor.Words(
                isOne
                    ? "\(records) has nothing in \(by), which is required."
                    : "\(records) have nothing in \(by), which is required.",
                "Give it a value: peersync record set \(place) \(Sentence.plain(field ?? ""))=VALUE"
            )
        case .failedFile, .lostFile, .missingFile:
            return file(kind, records, isOne, by)
        case .duplicateFile:
            return Sentence.Doctor.Words(
                isOne
                    ? "\(records) names a file that one beside it names."
                    : "\(records) name a file that one beside it names.",
                "It is stored once. If one is enough: peersync record delete \(place)")
        case .pendingReference, .emptyReference:
            return reference(kind, records, isOne, by, place)
        case .heldRecord, .orphan, .duplicate, .unknownCollection:
            return whole(kind, records, isOne, by, place)
        }
    }

    private static func file(
        _ kind: SpaceCheckView.Kind, _ records: String, _ isOne: Bool, _ by: String
    ) -> Sentence.Doctor.Words {
        switch kind {
        case .failedFile:
            Sentence.Doctor.Words(
                isOne
                    ? "The file in \(by) of \(records) failed three times, or does not fit here."
                    : "The files in \(by) of \(records) failed three times, or do not fit here.",
                "Ask about it: peersync why RECORD")
        case .lostFile:
            Sentence.Doctor.Words(
                isOne
                    ? "The file in \(by) of \(records) is lost: no device has it any more."
                    : "The files in \(by) of \(records) are lost: no device has them any more.",
                "Add it again from the camera or a backup: then it comes back everywhere.")
        default:
            Sentence.Doctor.Words(
                isOne
                    ? "The file in \(by) of \(records) is not here yet."
                    : "The files in \(by) of \(records) are not here yet.",
                "It is fetched by itself; ask about it: peersync why RECORD")
        }
    }

    private static func reference(
        _ kind: SpaceCheckView.Kind, _ records: String, _ isOne: Bool, _ by: String,
        _ place: String
    ) -> Sentence.Doctor.Words {
        kind == .pendingReference
            ? Sentence.Doctor.Words(
                isOne
                    ? "\(records) refers by \(by) to something that is not here yet."
                    : "\(records) refer by \(by) to something that is not here yet.",
                "It comes with the next sync, from whoever has it.")
            : Sentence.Doctor.Words(
                isOne
                    ? "\(records) refers by \(by) to something that is deleted: it shows empty."
                    : "\(records) refer by \(by) to something that is deleted: it shows empty.",
                "Nothing to do, or give another: peersync record set \(place)")
    }

    /// About whole records; `by` is the field through which they belong to something.
    private static func whole(
        _ kind: SpaceCheckView.Kind, _ records: String, _ isOne: Bool, _ by: String,
        _ place: String
    ) -> Sentence.Doctor.Words {
        switch kind {
        case .heldRecord:
            Sentence.Doctor.Words(
                isOne
                    ? "\(records) is deleted and still shown, as others came to need it meanwhile."
                    : "\(records) are deleted and still shown, as others came to need it meanwhile.",
                """
                Keep it with 'peersync record restore \(place)', or change what needs it; then \
                it goes by itself.
                """)
        case .orphan:
            Sentence.Doctor.Words(
                isOne
                    ? "\(records) is hidden, because what it belongs to, by \(by), is deleted."
                    : "\(records) are hidden, because what it belongs to, by \(by), is deleted.",
                "Nothing to do; restoring that brings it back.")
        case .duplicate:
            Sentence.Doctor.Words(
                isOne
                    ? "\(records) is equal to another one in every field."
                    : "\(records) are equal to another one in every field.",
                "If one is enough: peersync record delete \(place)")
        default:
            Sentence.Doctor.Words(
                isOne
                    ? """
                    \(records) is of a collection that the schema here does not know: kept and passed on, \
                    not shown.
                    """
                    : """
                    \(records) are of a collection that the schema here does not know: kept and passed on, \
                    not shown.
                    """,
                "A newer version of the schema, or of peersync, shows them.")
        }
    }
}
