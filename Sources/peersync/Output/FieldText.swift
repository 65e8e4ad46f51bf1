internal import LocalAPI

/// Values of fields as people read them.
enum FieldText {
    static func of(_ value: FieldValue) -> String {
        switch value {
        case .null: ""
        case .text(let text), .json(let text): text
        case .decimal(let digits): Language.current.decimal(digits)
        case .typed(let typed): typed.text
        case .integer(let number): String(number)
        case .boolean(let flag): flag ? tr("yes") : tr("no")
        case .time(let moment): Formatting.timeWithZone(moment)
        case .position(let position): Formatting.position(position)
        case .blob(let blob): text(of: blob)
        case .reference(let record): text(of: record)
        case .set(let elements): elements.map(of).sorted().joined(separator: ", ")
        case .unknown: tr("(written by a newer peersync)")
        }
    }

    private static func text(of blob: BlobReference) -> String {
        let size = blob.bytes.map { Sentence.size($0) } ?? ""
        let id = blob.id.map { String($0.prefix(8)) } ?? ""
        let isMissing = blob.here == false
        return [id, size, isMissing ? tr("not here yet") : ""].filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    private static func text(of record: RecordReference) -> String {
        switch record.state {
        case .deleted: tr("(deleted)")
        case .pending: tr("(not here yet)")
        case .shown, nil:
            record.name.flatMap { $0.isEmpty ? nil : $0 } ?? record.shortID ?? record.id
        }
    }
}
