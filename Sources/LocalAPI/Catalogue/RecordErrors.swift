/// Errors about records of any schema.
extension APIError {
    package static func unknownCollection(_ name: String, among known: [String]) -> APIError {
        APIError(
            code: .notFound, sentence: "There is no collection called \(Sentence.name(name)).",
            hint: didYouMean(name, among: known)
                ?? "The schema of this space has \(known.joined(separator: ", ")).")
    }

    package static func unknownRecordField(
        _ name: String, of collection: String, known: [String]
    ) -> APIError {
        APIError(
            code: .badInput, sentence: "There is no field \(Sentence.name(name)) in \(collection).",
            hint: didYouMean(name, among: known)
                ?? "Its fields are \(known.joined(separator: ", ")).")
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

    /// A number whose dot may stand between thousands or before decimals.
    package static func unclear(_ number: String) -> APIError {
        let whole = number.replacing(".", with: "")
        let decimal = number.replacing(".", with: ",")
        return APIError(
            code: .badInput, sentence: "The number \(number) may mean \(whole) or \(decimal).",
            hint: """
                Write the one that you mean. If dots stand before decimals, as in some files, add --language en.
                """)
    }

    package static let besideItself = APIError(
        code: .badInput, sentence: "A record cannot stand beside itself.",
        hint: "Name another record with --before or --after.")
}
