internal import LocalAPI

/// Records as rows, or one record with all its fields.
enum RecordTable {
    /// One column per field that any record has, in the order of the schema; derived values follow.
    static func rendered(
        _ records: [RecordView], of collection: SchemaView.Collection?, width: Int?
    ) -> String {
        guard !records.isEmpty else { return Sentence.Record.none }
        let fields = (collection?.fields ?? []).filter { field in
            field.type != "order" && records.contains { $0.fields[field.name] != nil }
        }
        let derived = (collection?.derived ?? []).filter { name in
            records.contains { $0.derived[name] != nil }
        }
        var columns = [Table.Column.text("")]
        for field in fields {
            let isNumber = field.type == "integer" || field.type == "decimal"
            columns.append(isNumber ? .number(field.name) : .text(field.name, shrinksTo: 8))
        }
        columns += derived.map { .number($0) }
        var table = Table(columns + [.text(tr("id"))])
        for record in records {
            let isPlain = record.standing == .shown || record.standing == .deleted
            var cells = [isPlain ? Symbols.of(record.status) : Style.yellow("!")]
            cells += fields.map { field in record.fields[field.name].map { FieldText.of($0) } ?? ""
            }
            cells += derived.map { name in record.derived[name].map { FieldText.of($0) } ?? "" }
            table.add(cells + [record.shortID])
        }
        let unfinished = records.count { $0.status == .unfinished }
        let remark =
            unfinished > 0
            ? "\n" + Sentence.Unfinished.some(unfinished, field: collection?.finishedBy) : ""
        return table.rendered(width: width) + remark
    }
}

/// One record with all its fields.
enum RecordDetails {
    /// Fields are in the order of the schema; unknown ones follow.
    static func rendered(_ record: RecordView, width: Int?) -> String {
        let collection = record.schema
        let name = record.name.isEmpty ? record.shortID : record.name
        var parts = [
            "\(Style.bold(Printable.line(name)))  \(Symbols.of(record.status)) "
                + Sentence.Memory.status(record.status),
            facts(record).rendered(width: width, indent: 2),
        ]
        for (field, value) in inOrder(record.fields, collection?.fields.map(\.name)) {
            guard case .text(let text) = value, text.contains("\n") else { continue }
            parts += ["", field + ":", Printable.paragraph(text)]
        }
        let standing = Sentence.Record.standing(record.standing)
        if !standing.isEmpty { parts += ["", "\(Style.yellow("!")) \(standing)"] }
        if let stays = Sentence.Unfinished.stays(record) {
            parts += ["", "\(Symbols.of(record.status)) \(stays)"]
        }
        if !record.conflicts.isEmpty {
            let notice = Sentence.Record.conflicts(record.conflicts)
            parts += ["", "\(Style.yellow("!")) \(notice)"]
        }
        if !record.overruled.isEmpty { parts.append("") }
        parts += record.overruled.map { value in
            tr(
                """
                \(value.field): \(Sentence.name(FieldText.of(value.value))) of \
                \(Sentence.plain(value.author.name)) is kept, but not shown, as \
                \(Sentence.plain(value.by.name)) writes with authority.
                """)
        }
        return parts.joined(separator: "\n")
    }

    private static func inOrder(
        _ values: [String: FieldValue], _ names: [String]?
    ) -> [(String, FieldValue)] {
        let names = names ?? []
        let others = values.keys.filter { !names.contains($0) }.sorted()
        return (names + others).compactMap { name in values[name].map { (name, $0) } }
    }

    private static func facts(_ record: RecordView) -> Table {
        let collection = record.schema
        var table = Table([.text(""), .text("", shrinksTo: 20)])
        // A position is a key for programs only.
        let orders = Set((collection?.fields ?? []).filter { $0.type == "order" }.map(\.name))
        for (field, value) in inOrder(record.fields, collection?.fields.map(\.name))
        where !orders.contains(field) {
            if case .text(let text) = value, text.contains("\n") { continue }
            table.add([field, FieldText.of(value)])
        }
        for (name, value) in inOrder(record.derived, collection?.derived) {
            table.add([name, FieldText.of(value)])
        }
        for (name, value) in record.unknown.sorted(by: { $0.key < $1.key }) {
            table.add([name + "?", FieldText.of(value)])
        }
        table.add([tr("changed"), tr("\(Formatting.ago(record.changed)) by \(record.author.name)")])
        if let origin = record.origin { table.add([tr("before"), OriginText.of(origin)]) }
        table.add([tr("seen"), record.seen])
        table.add([tr("id"), record.id])
        return table
    }
}
