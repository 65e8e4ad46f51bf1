internal import LocalAPI
internal import SyncCore
internal import Yams

/// Reads the folder of a data set, and collects all mistakes.
struct DataSetReading {
    static let manifest = "dataset.yaml"
    private static let format: UInt32 = 1
    private static let levels: [(word: String, level: DataSetLevel)] = [
        ("reference", .reference), ("samples", .samples),
    ]

    private let folder: String
    private let files: DataSetFiles
    private(set) var mistakes: [DataSetCheck.Mistake] = []
    /// The values that earlier versions shipped; empty without a file of them.
    private(set) var released = ReleasedFile(of: "")
    /// Whether there is a file of released values.
    private var isReleased = false

    init(_ folder: String, _ files: DataSetFiles) { (self.folder, self.files) = (folder, files) }

    /// The set without its mistakes; nil where the manifest is unusable. `schema` returns the schema of a
    /// name. Throws ``APIError`` when the folder cannot be read.
    mutating func read(
        in space: SpaceID?, schema: (String) throws -> Schema
    ) throws -> DataSet? {
        let bytes = try manifest()
        guard let set = parsed(bytes) else { return nil }
        guard mistakes.isEmpty else { return set }
        return try released(of: rows(of: set, in: space, schema(set.schema)))
    }

    private func manifest() throws -> [UInt8] {
        do {
            return try files.contents(DataSetReading.manifest, folder) { size in
                guard size <= Limits.schemaBytes else { throw DataSetErrors.tooLarge }
            }
        } catch let error as APIError where error == .noSuchFile(DataSetReading.manifest) {
            // It may be the folder that was mistyped.
            throw APIError.noSuchFile(ShownText.line("\(folder)/\(DataSetReading.manifest)"))
        }
    }

    func check(_ set: DataSet?) -> DataSetCheck {
        DataSetCheck(
            name: set?.name ?? "", schema: set?.schema ?? "",
            levels: (set?.levels ?? []).map { level in
                DataSetCheck.Level(
                    level: level.level, version: level.version,
                    files: level.files.map {
                        DataSetCheck.File(
                            collection: $0.collection, file: $0.name,
                            rows: level.rows.cells[$0.collection]?.count ?? 0)
                    }, released: isReleased ? level.rows.released.digests.keys.sorted() : nil)
            },
            mistakes: mistakes.enumerated().sorted { one, other in
                (one.element.file, one.element.line ?? 0, one.offset)
                    < (other.element.file, other.element.line ?? 0, other.offset)
            }.map(\.element))
    }

    // MARK: The manifest

    private mutating func wrong(_ node: Node, _ reason: String) {
        wrong(node.mark?.line, reason)
    }

    private mutating func wrong(
        _ line: Int?, _ reason: String, in file: String = DataSetReading.manifest
    ) {
        mistakes.append(DataSetCheck.Mistake(file: file, line: line, reason: reason))
    }

    private mutating func parsed(_ bytes: [UInt8]) -> DataSet? {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            wrong(nil, tr("it is not UTF-8 text"))
            return nil
        }
        do {
            try SchemaText.check(bytes)
        } catch {
            wrong(error.line, tr("a manifest may not contain the signs &, ?, [ and {"))
            return nil
        }
        guard let root = try? Yams.compose(yaml: text), let top = root.mapping else {
            wrong(1, tr("it is a mapping with `dataset: 1`, `name`, `schema` and levels"))
            return nil
        }
        guard SchemaReader.number(top["dataset"]) == DataSetReading.format else {
            wrong(top["dataset"] ?? root, tr("it begins with `dataset: 1`"))
            return nil
        }
        checkWords(
            root, ["dataset", "name", "schema", "reset"] + DataSetReading.levels.map(\.word))
        let name = (top["name"]?.string ?? "").trimmedLine
        if !ShownText.isName(name) {
            wrong(top["name"] ?? root, tr("a data set has a `name` of one line"))
        }
        let schema = top["schema"]?.string ?? ""
        if schema.isEmpty {
            wrong(top["schema"] ?? root, tr("`schema` names the schema of the space"))
        }
        let levels = DataSetReading.levels.compactMap { word, level in
            top[word].flatMap { self.level(level, $0) }
        }
        if levels.isEmpty, mistakes.isEmpty {
            wrong(root, tr("it has `reference`, `samples` or both"))
        }
        let collections = levels.flatMap { $0.files.map(\.collection) }
        if Set(collections).count < collections.count {
            wrong(root, tr("the collection is in two levels"))
        }
        return DataSet(
            name: name, schema: schema, levels: levels, reset: top["reset"].map { reset($0) })
    }

    private mutating func reset(_ node: Node) -> DataSet.Reset {
        checkWords(node, ["version", "text", "text_de", "keeps"])
        let version = version(of: node)
        let keeps = node.mapping?["keeps"]
        if keeps == nil {
            wrong(
                node,
                tr(
                    "`keeps` names the collections that are history, as in `keeps: set, workout`; \"\" for none"
                ))
        }
        // A list, or names with commas between them.
        let names =
            keeps?.sequence.map { $0.map { $0.string ?? "" } }
            ?? (keeps?.string ?? "").split(separator: ",").map { String($0).trimmedLine }
        return DataSet.Reset(
            version: version, text: text(node, "text"), germanText: text(node, "text_de"),
            keeps: names)
    }

    private mutating func version(of node: Node) -> Int {
        let version = SchemaReader.number(node.mapping?["version"]) ?? 0
        if version == 0 { wrong(node.mapping?["version"] ?? node, DataSetErrors.noVersion) }
        return Int(version)
    }

    private mutating func checkWords(_ node: Node, _ known: [String]) {
        for (key, _) in node.mapping ?? [:] where !known.contains(key.string ?? "") {
            let word = ShownText.line(key.string ?? "")
            wrong(key, tr("`\(word)` is not one of \(known.joined(separator: ", "))"))
        }
    }

    private mutating func level(_ level: DataSetLevel, _ node: Node) -> DataSet.Level? {
        checkWords(node, ["version", "text", "text_de", "collections"])
        let version = version(of: node)
        guard let nodes = node.mapping?["collections"]?.mapping, !nodes.isEmpty else {
            wrong(node, tr("`collections` names a file and a key for each collection"))
            return nil
        }
        let files = nodes.map { key, node in file(key.string ?? "", node) }
        return DataSet.Level(
            level: level, version: version, text: text(node, "text"),
            germanText: text(node, "text_de"), files: files)
    }

    private func text(_ node: Node, _ word: String) -> String? {
        node.mapping?[word]?.string.map { ShownText.line($0) }
    }

    private mutating func file(_ collection: String, _ node: Node) -> DataSet.File {
        checkWords(node, ["file", "key"])
        let name = node.mapping?["file"]?.string ?? ""
        // A set is one folder, without files elsewhere.
        if name.isEmpty || name.contains("/") || name.hasPrefix(".") {
            wrong(node, tr("`file` is the name of a CSV file in the same folder"))
        }
        let key = node.mapping?["key"]?.string ?? ""
        if key.isEmpty { wrong(node, tr("`key` is the column whose values tell the rows apart")) }
        return DataSet.File(collection: collection, name: name, key: key)
    }

    // MARK: Rows

    /// A row of a file, with its line.
    private struct Line {
        let number: Int
        let key: String
        let cells: [String: String]
    }

    private mutating func rows(
        of set: DataSet, in space: SpaceID?, _ schema: Schema
    ) throws -> DataSet {
        var levels = set.levels
        var lines: [(file: DataSet.File, collection: CollectionSchema, lines: [Line])] = []
        var bytes = 0
        for index in levels.indices {
            for file in levels[index].files {
                let known = schema.ownCollections.first { $0.name == file.collection }
                guard let collection = known else {
                    wrong(nil, unknownCollection(ShownText.line(file.collection)))
                    continue
                }
                let found = try self.lines(of: file, collection, &bytes)
                lines.append((file, collection, found))
                levels[index].rows.order[file.collection] = found.map(\.key)
                levels[index].rows.cells[file.collection] = Dictionary(
                    found.map { ($0.key, $0.cells) }, uniquingKeysWith: { $1 })
            }
        }
        let values = DataSetValues(set.name, in: space, rows: levels.map(\.rows.cells))
        for (file, collection, lines) in lines {
            for line in lines { check(line, of: file, collection, values) }
        }
        guard
            levels.reduce(0, { $0 + $1.rows.cells.values.reduce(0) { $0 + $1.count } })
                <= LocalLimits.dataSetRows
        else { throw DataSetErrors.tooLarge }
        for name in set.reset?.keeps ?? []
        where !schema.ownCollections.contains(where: { $0.name == name }) {
            wrong(nil, unknownCollection(ShownText.line(name)))
        }
        return DataSet(name: set.name, schema: set.schema, levels: levels, reset: set.reset)
    }

    private mutating func lines(
        of file: DataSet.File, _ collection: CollectionSchema, _ bytes: inout Int
    ) throws -> [Line] {
        do {
            let content = try files.contents(file.name, folder) { size in
                guard bytes + size <= LocalLimits.dataSetBytes else {
                    throw DataSetErrors.tooLarge
                }
            }
            bytes += content.count
            return try lines(in: content, of: file, collection)
        } catch let error as APIError where error.code != .tooLarge {
            wrong(nil, error.sentence, in: file.name)
            return []
        }
    }

    private mutating func lines(
        in content: [UInt8], of file: DataSet.File, _ collection: CollectionSchema
    ) throws -> [Line] {
        var reader = CSVReader(CSVReader.content(of: content))
        guard let header = try reader.row() else { return [] }
        let names = header.cells.map(\.text.trimmedLine)
        guard check(names, header.line, of: file, collection) else { return [] }
        var lines: [Line] = []
        var known: [String: Int] = [:]
        while let row = try reader.row() {
            guard row.cells.count == names.count else {
                let reason = DataSetErrors.cells(row.cells.count, of: names.count)
                wrong(row.line, reason, in: file.name)
                continue
            }
            var cells: [String: String] = [:]
            var key = ""
            for (name, cell) in zip(names, row.cells) {
                if name == file.key { key = cell.text }
                if collection.field(name) != nil, cell.isQuoted || !cell.text.isEmpty {
                    cells[name] = cell.text
                }
            }
            if key.isEmpty {
                wrong(row.line, tr("the row has no key"), in: file.name)
            } else if let first = known[key] {
                let reason = tr(
                    "the key \(Sentence.name(ShownText.line(key))) is in line \(first) already")
                wrong(row.line, reason, in: file.name)
            }
            known[key] = known[key] ?? row.line
            lines.append(Line(number: row.line, key: key, cells: cells))
        }
        return lines
    }

    /// Whether the columns allow reading the rows.
    private mutating func check(
        _ names: [String], _ line: Int, of file: DataSet.File, _ collection: CollectionSchema
    ) -> Bool {
        let before = mistakes.count
        guard names.contains(where: { $0 == file.key || collection.field($0) != nil }) else {
            let fields = collection.fields.map(\.name).filter { $0 != file.key }
            let columns = ([file.key] + fields).map { ShownText.line($0) }.joined(separator: ",")
            wrong(
                line,
                tr("the first line must name the columns; for this collection: \(columns)"),
                in: file.name)
            return false
        }
        for (index, name) in names.enumerated() {
            let shown = ShownText.line(name)
            if names[..<index].contains(name) {
                wrong(line, tr("the column \(Sentence.name(shown)) is there twice"), in: file.name)
            }
            guard let field = collection.field(name) else {
                if name != file.key {
                    wrong(
                        line, tr("the collection has no field \(Sentence.name(shown))"),
                        in: file.name)
                }
                continue
            }
            if field.isLocal || field.type.isBlob || field.type == .order {
                wrong(
                    line,
                    tr(
                        "\(Sentence.name(shown)) is a file, an order or of one device alone: no data set has it"
                    ), in: file.name)
            }
        }
        if !names.contains(file.key) {
            wrong(
                line, tr("there is no column \(Sentence.name(ShownText.line(file.key)))"),
                in: file.name)
        }
        return mistakes.count == before
    }

    /// Adds the released values. Throws ``APIError``.
    private mutating func released(of set: DataSet) throws -> DataSet {
        released = ReleasedFile(of: set.name)
        do {
            let content = try files.contents(ReleasedFile.name, folder) { size in
                guard size <= LocalLimits.dataSetReleasedBytes else {
                    throw DataSetErrors.releasedTooLarge
                }
            }
            isReleased = true
            var found: [DataSetCheck.Mistake] = []
            try released.read(content) { line, reason in
                found.append(
                    DataSetCheck.Mistake(file: ReleasedFile.name, line: line, reason: reason))
            }
            mistakes += found
        } catch let error as APIError where error == .noSuchFile(ReleasedFile.name) {
            return set
        } catch let error as APIError where error.code != .tooLarge {
            wrong(nil, error.sentence, in: ReleasedFile.name)
        }
        var levels = set.levels
        for index in levels.indices {
            let level = levels[index]
            levels[index].rows.released = released[level.level]
            try check(released[level.level], of: level)
        }
        return DataSet(name: set.name, schema: set.schema, levels: levels, reset: set.reset)
    }

    /// Whether the released values fit the version in the folder.
    private mutating func check(_ released: ReleasedRows, of level: DataSet.Level) throws {
        let lines = self.released.lines[level.level] ?? [:]
        for (version, line) in lines where version > level.version {
            let reason = tr(
                "version \(version) of \(level.level.rawValue) is higher than that in dataset.yaml")
            wrong(line, reason, in: ReleasedFile.name)
        }
        // Rows with a mistake differ in any case.
        guard mistakes.isEmpty else { return }
        let digest = try AppliedSet(version: level.version, rows: level.rows.cells).digest
        if let line = lines[level.version], released.digests[level.version] != digest {
            let reason = tr(
                "version \(level.version) of \(level.level.rawValue) was released with other rows: raise it in dataset.yaml"
            )
            wrong(line, reason, in: ReleasedFile.name)
        }
    }

    private mutating func check(
        _ line: Line, of file: DataSet.File, _ collection: CollectionSchema,
        _ values: DataSetValues
    ) {
        for field in collection.fields {
            guard let text = line.cells[field.name] else {
                if field.isRequired {
                    wrong(
                        line.number, tr("it needs a value for \(Sentence.name(field.name))"),
                        in: file.name)
                }
                continue
            }
            do {
                _ = try values.cell(text, of: field)
            } catch let broken as DataSetValues.BrokenReference {
                let reason = tr(
                    "no row of \(broken.collection) has the key \(Sentence.name(ShownText.line(broken.key)))"
                )
                wrong(line.number, reason, in: file.name)
            } catch let error as APIError {
                wrong(line.number, error.sentence, in: file.name)
            } catch {
                wrong(line.number, "\(error)", in: file.name)
            }
        }
    }
}

private func unknownCollection(_ name: String) -> String {
    tr("the schema has no collection \(Sentence.name(name))")
}
