internal import Foundation
package import LocalAPI

/// A file that lists records: CSV, or JSON lines if it starts with a brace.
package struct RecordFile {
    /// Separates the values of a set in CSV; none of the usual column separators.
    private static let setSeparator: Character = "|"

    private let collection: SchemaView.Collection?

    /// Without a collection all values are texts: the agent reports the wrong ones.
    package init(of collection: SchemaView.Collection?) { self.collection = collection }

    /// The bytes of a file, or of standard input if its name is `-`. Throws ``APIError``.
    static func bytes(of path: String) async throws -> [UInt8] {
        if path == "-" {
            guard let bytes = try await StandardInput.shared.bytes(upTo: LocalLimits.batchBytes)
            else { throw batchTooLarge(limit: LocalLimits.batchBytes) }
            return bytes
        }
        return try InputPath.contents(of: path) { size in
            guard size <= LocalLimits.batchBytes else {
                throw batchTooLarge(limit: LocalLimits.batchBytes)
            }
        }
    }

    /// The records in the file. Throws ``APIError`` with the number of the wrong line.
    package func records(_ bytes: [UInt8]) throws -> [RecordBatchDraft.NewRecord] {
        let content = CSVReader.content(of: bytes)
        let first = content.first { !" \t\r\n".utf8.contains($0) }
        let records =
            first == UInt8(ascii: "{") ? try jsonLines(content) : try rows(CSVReader(content))
        guard !records.isEmpty else { throw APIError.nothingToAdd }
        return records
    }

    private func rows(_ reader: CSVReader) throws -> [RecordBatchDraft.NewRecord] {
        var reader = reader
        guard let header = try reader.row() else { throw APIError.nothingToAdd }
        let names = header.cells.map(\.text.trimmedLine)
        try check(names, header.line)
        var records: [RecordBatchDraft.NewRecord] = []
        while let row = try reader.row() {
            guard row.cells.count == names.count else {
                let what = tr(
                    """
                    It has \(Sentence.count(row.cells.count, "value", "values")), and the first \
                    line names \(Sentence.count(names.count, "field", "fields")).
                    """)
                throw APIError.badLine(row.line, what)
            }
            var fields: [String: FieldValue] = [:]
            for (name, cell) in zip(names, row.cells) where cell.isQuoted || !cell.text.isEmpty {
                do {
                    fields[name] = try value(cell.text, of: name)
                } catch let error as APIError {
                    throw error.inLine(row.line)
                }
            }
            records.append(RecordBatchDraft.NewRecord(fields: fields, line: row.line))
        }
        return records
    }

    private func check(_ names: [String], _ line: Int) throws {
        guard !names.contains("") else {
            throw APIError.badLine(line, tr("The first line must name the fields."))
        }
        for (index, name) in names.enumerated() {
            guard !names[..<index].contains(name) else {
                throw APIError.badLine(line, twice(name))
            }
            guard let collection, field(name) == nil, !collection.derived.contains(name) else {
                continue
            }
            throw APIError.unknownRecordField(
                name, of: collection.name, known: collection.fields.map(\.name)
            ).inLine(line)
        }
    }

    private func field(_ name: String) -> SchemaView.Field? {
        collection?.fields.first { $0.name == name }
    }

    private func value(_ text: String, of name: String) throws -> FieldValue {
        let field = field(name)
        guard field?.type == "set" else {
            return try TypedInput.text(text).value(as: field?.type ?? "text", of: name)
        }
        let elements = text.split(separator: RecordFile.setSeparator).map(String.init)
        return .set(
            try elements.map { try TypedInput.text($0).value(as: field?.of ?? "text", of: name) })
    }

    private func jsonLines(_ bytes: [UInt8]) throws -> [RecordBatchDraft.NewRecord] {
        var records: [RecordBatchDraft.NewRecord] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard line.contains(where: { !" \t\r".utf8.contains($0) }) else { continue }
            var fields: [String: FieldValue] = [:]
            for (name, member, source) in try JSONLine.members(of: line, line: index + 1) {
                guard fields[name] == nil else {
                    throw APIError.badLine(index + 1, twice(name))
                }
                do {
                    fields[name] = try value(member, source, field(name)?.type ?? "text", name)
                } catch let error as APIError {
                    throw error.inLine(index + 1)
                }
            }
            records.append(RecordBatchDraft.NewRecord(fields: fields, line: index + 1))
        }
        return records
    }

    private func value(
        _ member: JSONLine.Member, _ source: String, _ type: String, _ name: String
    ) throws -> FieldValue {
        if case .object(let object) = member, type != "json" || object.hasPrefix("{\"json\":") {
            // Values have the form of the fields of a shown record.
            guard let value = try? JSONCoding.decode(FieldValue.self, from: Data(object.utf8))
            else {
                throw APIError.wrongType(name, type: type)
            }
            return value
        }
        switch (type, member) {
        case (_, .null): return .null
        case ("json", _): return .json(source)
        case ("set", .list(let members)):
            let element = field(name)?.of ?? "text"
            return .set(
                try members.map { member in
                    guard case .object(let object) = member else {
                        return try value(member, "", element, name)
                    }
                    return try value(member, object, element, name)
                })
        case ("boolean", .boolean(let flag)): return .boolean(flag)
        case ("integer", .number(let digits)), ("decimal", .number(let digits)):
            return try TypedInput.text(digits).value(as: type, of: name)
        case (_, .number), (_, .boolean), (_, .list): throw APIError.wrongType(name, type: type)
        case (_, .text(let text)): return try TypedInput.text(text).value(as: type, of: name)
        default: throw APIError.wrongType(name, type: type)
        }
    }
}

private func batchTooLarge(limit: Int) -> APIError {
    APIError(
        code: .tooLarge,
        sentence: "That is too much at once: at most \(Sentence.size(Int64(limit))).",
        hint: "Nothing was added. Split it into several files.")
}

private func twice(_ field: String) -> String { tr("\(Sentence.name(field)) is there twice.") }
