internal import LocalAPI
internal import SyncCore

/// The pages for reading an archive. They need no network and no scripts: the browser may load nothing from
/// outside the archive.
struct ArchivePage {
    private let title: String
    private let schema: Schema
    private let names: [BlobID: String]
    private let by: String
    private let written: Moment
    private let roots: [(collection: CollectionSchema, records: [RecordView])]
    /// By the id of the record that they belong to.
    private let parts: [String: [RecordView]]

    init(
        title: String, schema: Schema, records: [RecordView], names: [BlobID: String], by: String,
        written: Moment
    ) {
        (self.title, self.schema, self.names) = (title, schema, names)
        (self.by, self.written) = (by, written)
        let titleCollection = schema.isJournal ? "trip" : Schema.spaceProfile
        var parts: [String: [RecordView]] = [:]
        var roots: [String: [RecordView]] = [:]
        for record in records where record.collection != titleCollection {
            let owners = schema.collection(record.collection)?.owners ?? []
            let owner = owners.lazy.compactMap { record.fields[$0.field.name]?.target }.first
            if let owner {
                parts[owner, default: []].append(record)
            } else {
                roots[record.collection, default: []].append(record)
            }
        }
        self.parts = parts
        // The main collection comes last in a schema, and is the one that people look for.
        self.roots = schema.ownCollections.reversed().compactMap { collection in
            roots[collection.name].map { ($0.isEmpty ? nil : (collection, $0)) } ?? nil
        }
    }

    // MARK: Pages

    func index() -> [UInt8] {
        var body = "<h1>\(Markup.escaped(title))</h1>\n"
        let about = tr(
            """
            Archived by \(by), \(day(written)). All of it is in this folder and needs no network; \
            SHA256SUMS proves that nothing was changed.
            """)
        body += "<p>\(Markup.escaped(about))</p>\n"
        let links = [
            (ArchiveFile.historyPage, tr("What happened")),
            (ArchiveFile.places, tr("Places (GPX)")),
            (ArchiveFile.records, tr("Records (JSON)")),
        ]
        body += "<p>" + links.map { link($0.0, $0.1) }.joined(separator: " · ") + "</p>\n"
        for (collection, records) in roots {
            body += "<h2>\(Markup.escaped(words(collection.name)))</h2>\n"
            for record in inTime(records) { body += article(record, depth: 0) }
        }
        return ArchivePage.page(title, body)
    }

    func history(_ entries: [ChangeEntry]) -> [UInt8] {
        var body = "<h1>\(Markup.escaped(title))</h1>\n<p>"
        body += link(ArchiveFile.page, tr("Back")) + "</p>\n<ol>\n"
        for entry in entries {
            let line = Sentence.Changes.line(entry.author.name, entry.changes)
            body += "<li>" + Markup.escaped("\(day(entry.written)) \(line)") + "</li>\n"
        }
        return ArchivePage.page(title, body + "</ol>\n")
    }

    private static func page(_ title: String, _ body: String) -> [UInt8] {
        Array(
            """
            <!DOCTYPE html>
            <html>
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width">
            <title>\(Markup.escaped(title))</title>
            <style>
            body { font: 1rem/1.5 sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
            article { margin: 1.5rem 0; border-top: 1px solid #ccc }
            article article { margin-left: 1.5rem }
            .text { white-space: pre-wrap }
            .facts { color: #555 }
            figure { display: inline-block; margin: .3rem; vertical-align: top; max-width: 14rem }
            figure img { max-width: 14rem; max-height: 14rem; display: block }
            figcaption { font-size: .8rem; overflow-wrap: anywhere }
            </style>
            </head>
            <body>
            \(body)</body>
            </html>

            """.utf8)
    }

    // MARK: Records

    private func article(_ record: RecordView, depth: Int) -> String {
        let all = depth < Limits.archivePageDepth ? parts[record.id] ?? [] : []
        let files = all.filter { file(of: $0, except: .thumbnail) != nil }
        let others = all.filter { file(of: $0, except: .thumbnail) == nil }
        var body = "<article>\n"
        if !record.name.isEmpty { body += "<h3>\(Markup.escaped(record.name))</h3>\n" }
        body += values(record)
        body += file(of: record, except: .thumbnail) == nil ? "" : figure(record)
        for part in files { body += figure(part) }
        for part in others { body += article(part, depth: depth + 1) }
        return body + "</article>\n"
    }

    private func values(_ record: RecordView) -> String {
        guard let collection = schema.collection(record.collection) else { return "" }
        var facts: [String] = []
        var texts = ""
        for field in collection.fields
        where field.name != collection.titleField?.name && !field.isLocal {
            guard let value = record.fields[field.name], !isInner(field) else { continue }
            let text = text(value)
            if text.isEmpty { continue }
            if case .text(let long) = value, long.utf8.count > 80 || long.contains("\n") {
                texts += "<p class=\"text\">\(Markup.escaped(long))</p>\n"
            } else {
                facts.append("\(words(field.name)): \(text)")
            }
        }
        if !record.author.name.isEmpty { facts.append(record.author.name) }
        let line = facts.map { Markup.escaped($0) }.joined(separator: " · ")
        return (line.isEmpty ? "" : "<p class=\"facts\">\(line)</p>\n") + texts
    }

    /// Fields that the text leaves out: files, places, and references to the owner, among others.
    private func isInner(_ field: FieldSchema) -> Bool {
        switch field.type {
        case .blob, .order: true
        case .reference(_, let rule): rule == .cascade
        default: false
        }
    }

    /// A file with its thumbnail, if it has one, and its name.
    private func figure(_ record: RecordView) -> String {
        let caption = record.name.isEmpty ? record.shortID : record.name
        let name = file(of: record, except: .thumbnail).flatMap { names[$0] }
        let small = file(of: record, except: .original).flatMap { names[$0] }
        var body = "<figure>"
        if let small, !small.isEmpty, name != small {
            let picture = "<img src=\"\(Markup.address(small))\" alt=\"\" loading=\"lazy\">"
            body += name.map { "<a href=\"\(Markup.address($0))\">\(picture)</a>" } ?? picture
        }
        let label = name.map { link($0, caption) } ?? Markup.escaped(caption)
        return body + "<figcaption>\(label)</figcaption></figure>\n"
    }

    /// The first file of a record, except those of one kind.
    private func file(of record: RecordView, except other: NamedBlobKind) -> BlobID? {
        for field in schema.collection(record.collection)?.fields ?? [] {
            guard case .blob(let kind) = field.type, kind != other,
                case .blob(let file)? = record.fields[field.name]
            else { continue }
            return file.id.flatMap { BlobID(text: $0) }
        }
        return nil
    }

    // MARK: Words

    private func link(_ path: String, _ label: String) -> String {
        "<a href=\"\(Markup.address(path))\">\(Markup.escaped(label))</a>"
    }

    private func text(_ value: FieldValue) -> String {
        switch value {
        case .null, .blob, .unknown: ""
        case .text(let text), .json(let text), .decimal(let text): text
        case .typed(let typed): typed.text
        case .integer(let number): String(number)
        case .boolean(let flag): flag ? tr("yes") : tr("no")
        case .time(let moment): day(moment)
        case .position(let position): "\(position.latitude), \(position.longitude)"
        case .reference(let record): record.name ?? ""
        case .set(let elements): elements.map { text($0) }.sorted().joined(separator: ", ")
        }
    }

    /// `2008-10-22 16:28`.
    private func day(_ moment: Moment) -> String {
        String(moment.text.prefix(16).replacing("T", with: " "))
    }

    private func words(_ name: String) -> String { name.replacing("_", with: " ") }

    /// Sorted by the first time in a record; those without one are last.
    private func inTime(_ records: [RecordView]) -> [RecordView] {
        let times = records.map { record in
            (schema.collection(record.collection)?.fields ?? []).lazy
                .compactMap { record.fields[$0.name]?.time?.milliseconds }.first ?? .max
        }
        return records.indices.sorted { (times[$0], $0) < (times[$1], $1) }.map { records[$0] }
    }
}

extension FieldValue {
    /// The id of the record that it refers to.
    fileprivate var target: String? {
        if case .reference(let record) = self { record.id } else { nil }
    }
}

extension Limits {
    /// Levels of records within records of the same kind that the page shows.
    static let archivePageDepth = 8
}
