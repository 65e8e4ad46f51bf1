internal import LocalAPI
internal import Store
package import SyncCore

/// Turns values into text.
extension RecordReader {
    /// A value as text for people; empty for a cleared value, or one that cannot be shown.
    package func text(of value: Value) throws -> String {
        switch value {
        case .null, .unknown: ""
        case .text(let text), .json(let text): ShownText.lines(text)
        case .decimal(let digits): Language.current.decimal(ShownText.line(digits))
        case .integer(let number): String(number)
        case .boolean(let flag): flag ? tr("yes") : tr("no")
        case .time(let time): Moment(time).map { Sentence.timeWithZone($0, isExact: true) } ?? ""
        case .position(let position): Position(position).map { Sentence.position($0) } ?? ""
        case .reference(let record): try name(of: record)
        case .blob(let blob): ShortIDs.alone(blob.description)
        }
    }

    /// The name of a referenced record, in any collection.
    private func name(of record: RecordID) throws -> String {
        for collection in schema.collections {
            let key = RecordKey(collection: collection.name, record: record)
            guard let entry = try entry(key) else { continue }
            let name = title(entry.record, in: collection.name)
            if !name.isEmpty { return name }
        }
        return ShortIDs.alone(record.description)
    }
}
