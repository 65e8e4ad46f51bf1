/// Errors about records of any schema.
extension APIError {
    package static func unknownCollection(_ name: String, among known: [String]) -> APIError {
        APIError(
            code: .notFound, sentence: "There is no collection called \(Sentence.name(name)).",
            hint: didYouMean(name, among: known)
                ?? "The schema of this space has \(known.joined(separator: ", ")).")
    }

    /// `similar` are names that may have been meant.
    package static func unknownRecord(
        _ collection: String, _ name: String, similar: [String] = []
    ) -> APIError {
        let list = tr("peersync record list SPACE \(collection)", context: "command")
        return APIError(
            code: .notFound, sentence: "There is no \(collection) called \(Sentence.name(name)).",
            hint: similar.isEmpty
                ? "See what there is: \(list)"
                : "Did you mean \(Sentence.names(similar))? See what there is: \(list)")
    }

    package static func unknownDeleted(_ collection: String, _ name: String) -> APIError {
        APIError(
            code: .notFound,
            sentence: "There is no deleted \(collection) called \(Sentence.name(name)).",
            hint: "See what was deleted: peersync record list SPACE \(collection) --deleted")
    }

    package static func notDeleted(_ name: String) -> APIError {
        APIError(code: .conflict, sentence: "\(Sentence.name(name)) is not deleted.")
    }

    package static func unknownRecordField(
        _ name: String, of collection: String, known: [String]
    ) -> APIError {
        APIError(
            code: .badInput, sentence: "A \(collection) has no field \(Sentence.name(name)).",
            hint: didYouMean(name, among: known)
                ?? "Its fields are \(known.joined(separator: ", ")).")
    }

    package static func derivedField(_ name: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(name) is computed from other records.",
            hint: "Change those; it follows at once, on every device.")
    }

    /// `type` is its name in the schema.
    package static func wrongType(_ field: String, type: String) -> APIError {
        let example =
            switch type {
            case "integer": tr("a whole number: \(field)=42")
            case "decimal": tr("a number with a point: \(field)=3.90")
            case "boolean": tr("yes or no: \(field)=yes")
            case "time": tr("a time: \(field)=\"2008-10-22 16:28\"")
            case "position": tr("degrees north and east: \(field)=43.46,11.88")
            case "json": tr("JSON: \(field)='{\"a\": 1}'")
            case "blob": tr("the path of a file: \(field)=photo.jpg")
            case "reference": tr("the name or id of a record: \(field)=NAME")
            default: tr("a text: \(field)=\"some words\"")
            }
        return APIError(
            code: .badInput,
            sentence: "This value does not fit \(field), which is of type \(type).",
            hint: "It takes \(example)")
    }

    package static func setNeedsElements(_ field: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(field) is a set of several values.",
            hint: "Put one in with \(field)+=VALUE, take one out with \(field)-=VALUE.")
    }

    package static func requiredField(_ field: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(field) is required and cannot be empty.",
            hint: "Give it another value: \(field)=VALUE")
    }

    package static func missingFields(_ fields: [String], of collection: String) -> APIError {
        APIError(
            code: .badInput,
            sentence: "A \(collection) needs \(fields.joined(separator: tr(" and "))).",
            hint: "Add \(fields.map { tr("\($0)=VALUE") }.joined(separator: " "))")
    }

    package static func orderNeedsPlace(_ field: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(field) is the place among the others.",
            hint: "Say it with --before RECORD, --after RECORD, --first or --last.")
    }

    package static let besideItself = APIError(
        code: .badInput, sentence: "A record cannot stand beside itself.",
        hint: "Name another record with --before or --after.")

    package static let onePlace = APIError(
        code: .badInput, sentence: "Say one place: --first, --before or --after.",
        hint: "For example: peersync media edit tower.jpg --first")

    package static let badToken = APIError(
        code: .badInput, sentence: "What was seen is named in a form that makes no sense.",
        hint: "Hand back the \u{201C}seen\u{201D} as the record showed it.")

    package static func recordInUse(
        _ name: String, by count: Int, of collection: String
    ) -> APIError {
        let users = Sentence.count(count, "record", "records")
        return APIError(
            code: .conflict,
            sentence: "\(Sentence.name(name)) is needed by \(users) of \(collection).",
            hint: "Delete or change those first.")
    }

    package static func collectionOfProgram(_ name: String) -> APIError {
        APIError(
            code: .badInput, sentence: "Records of \(name) are written by peersync itself.",
            hint: "A space is renamed with 'peersync trip rename'.")
    }

    package static let recordWithoutCollection = APIError(
        code: .badInput, sentence: "A record is named together with its collection.",
        hint: "For example: peersync record status SPACE COLLECTION RECORD")

    /// `text` is the typed text.
    package static func noAssignment(_ text: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(Sentence.name(text)) is no FIELD=VALUE.",
            hint: "For example: name=Milk, labels+=cold or labels-=cold; quote values with spaces.")
    }
}
