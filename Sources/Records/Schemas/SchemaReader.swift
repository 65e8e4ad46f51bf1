internal import LocalAPI
internal import SyncCore
internal import Yams

/// Turns the nodes of a document into a schema, collecting every mistake on the way.
struct SchemaReader {
    private(set) var mistakes: [SchemaLoader.Mistake] = []

    mutating func wrong(_ node: Node, _ path: String, _ reason: String) {
        mistakes.append(SchemaLoader.mistake(node, path, reason))
    }

    /// Notes an unknown word, which a newer program may know.
    mutating func unknown(_ word: Node, _ path: String, _ reason: String) {
        let isWord = word.string.map(SchemaReader.isWord) ?? false
        mistakes.append(SchemaLoader.mistake(word, path, reason, isUnknownWord: isWord))
    }

    /// The schema without its mistakes; only valid when there are none.
    mutating func schema(_ root: Node, id: SchemaID) -> Schema {
        check(root, "", allows: ["schema", "name", "version", "collections"])
        let top = root.mapping
        let name = top?["name"]?.string ?? ""
        if name.isEmpty || name.utf8.count > Limits.nameBytes {
            wrong(top?["name"] ?? root, "name", tr("a schema has a `name`"))
        }
        let version = SchemaReader.number(top?["version"])
        if version == nil {
            wrong(top?["version"] ?? root, "version", tr("`version` must be a whole number from 0"))
        }
        var collections: [CollectionSchema] = []
        var derived: [(place: Int, node: Node)] = []
        if let nodes = top?["collections"]?.mapping {
            for (key, node) in nodes.prefix(Limits.schemaCollections + 1) {
                let known = collection(key, node, earlier: collections)
                if let node = node.mapping?["derived"] { derived.append((collections.count, node)) }
                collections.append(known)
            }
            if nodes.count > Limits.schemaCollections {
                wrong(root, "collections", tr("more than \(Limits.schemaCollections) collections"))
            }
        } else {
            wrong(top?["collections"] ?? root, "collections", tr("a schema has `collections`"))
        }
        for (place, node) in derived {
            let collection = collections[place]
            collections[place] = CollectionSchema(
                name: collection.name, fields: collection.fields,
                derived: self.derived(node, of: collection, among: collections),
                formerNames: collection.formerNames, finishedBy: collection.finishedBy)
        }
        checkNames(of: collections, root)
        return Schema(
            id: id, name: name, version: version ?? 0, collections: Schema.everywhere + collections)
    }

    private mutating func collection(
        _ key: Node, _ node: Node, earlier: [CollectionSchema]
    ) -> CollectionSchema {
        let name = self.name(key, "collections")
        let path = "collections.\(name)"
        if Schema.isEverywhere(name) {
            wrong(key, path, tr("every space has this collection already"))
        }
        check(node, path, allows: ["fields", "derived", "was", "finished_by"])
        var fields: [FieldSchema] = []
        if let nodes = node.mapping?["fields"]?.mapping, !nodes.isEmpty {
            var targets = earlier.map(\.name)
            targets.append(name)
            for (key, node) in nodes.prefix(Limits.schemaFields) {
                let name = self.name(key, path + ".fields")
                fields.append(field(name, node, "\(path).fields.\(name)", targets: targets))
            }
            if nodes.count > Limits.schemaFields {
                wrong(node, path, tr("more than \(Limits.schemaFields) fields"))
            }
        } else {
            wrong(node, path, tr("a collection has `fields`"))
        }
        if fields.count(where: { $0.type == .order }) > 1 {
            wrong(node, path, tr("only one field can be the order"))
        }
        return CollectionSchema(
            name: name, fields: fields, formerNames: former(node, path),
            finishedBy: finishing(node, path, among: fields))
    }

    /// The field under `finished_by`, which must be optional and not local.
    private mutating func finishing(
        _ node: Node, _ path: String, among fields: [FieldSchema]
    ) -> String? {
        guard let named = node.mapping?["finished_by"] else { return nil }
        let path = path + ".finished_by"
        guard let field = fields.first(where: { $0.name == named.string }) else {
            wrong(named, path, tr("`finished_by` names a field of the collection"))
            return nil
        }
        switch field.type {
        case .set, .order, .blob: wrong(named, path, tr("a \(field.type.word) finishes no record"))
        default: break
        }
        if field.isRequired || field.isLocal {
            wrong(named, path, tr("what finishes a record is neither required nor local"))
        }
        for file in fields where file.isRequired && file.type.isBlob {
            wrong(
                named, path, tr("\(file.name) is required, and an unfinished record has no files"))
        }
        return field.name
    }

    // MARK: Common parts

    /// A name that needs no quotes in paths, commands and queries.
    mutating func name(_ key: Node, _ path: String) -> String {
        let name = key.string ?? ""
        if !SchemaReader.isName(name) {
            wrong(key, path, tr("a name is of a to z, 0 to 9 and _, and begins with a letter"))
        }
        return name
    }

    /// The names under `was`: one, or a list of them.
    mutating func former(_ node: Node, _ path: String) -> [String] {
        guard let was = node.mapping?["was"] else { return [] }
        let nodes = was.sequence.map { Array($0) } ?? [was]
        return nodes.map { name($0, path + ".was") }
    }

    /// Reports every unknown key: a misspelt word would silently have no effect.
    mutating func check(_ node: Node, _ path: String, allows known: Set<String>) {
        guard let mapping = node.mapping else {
            wrong(node, path, tr("it is a mapping of \(known.sorted().joined(separator: ", "))"))
            return
        }
        for (key, _) in mapping where !known.contains(key.string ?? "") {
            unknown(
                key, path,
                tr("`\(key.string ?? "")` is not one of \(known.sorted().joined(separator: ", "))"))
        }
    }

    /// A yes or no; no when it is absent.
    mutating func flag(_ node: Node, _ word: String, _ path: String) -> Bool {
        guard let value = node.mapping?[word] else { return false }
        if value.bool == nil { wrong(value, path, tr("`\(word)` is true or false")) }
        return value.bool ?? false
    }

    /// A former name must not be a present name, nor be claimed twice.
    private mutating func checkNames(of collections: [CollectionSchema], _ root: Node) {
        var taken = Set((Schema.everywhere + collections).map(\.name))
        for collection in collections {
            for former in collection.formerNames where !taken.insert(former).inserted {
                wrong(root, "collections.\(collection.name).was", tr("\(former) is taken"))
            }
            var fields = Set(collection.fields.map(\.name))
            for derived in collection.derived where !fields.insert(derived.name).inserted {
                wrong(
                    root, "collections.\(collection.name).derived", tr("\(derived.name) is a field")
                )
            }
            for field in collection.fields {
                for former in field.formerNames where !fields.insert(former).inserted {
                    wrong(
                        root, "collections.\(collection.name).fields.\(field.name).was",
                        tr("\(former) is taken"))
                }
            }
        }
    }

    /// A whole number in plain digits. The library's own parser reads `1:30` as a number to the base of 60,
    /// and crashes on a long one.
    static func number(_ node: Node?) -> UInt32? {
        guard let scalar = node?.scalar, scalar.style == .plain,
            !scalar.string.isEmpty, scalar.string.utf8.count <= 10,
            scalar.string.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return UInt32(scalar.string)
    }

    /// Keys, types and strategies are such words.
    private static func isWord(_ text: String) -> Bool { isName(text.lowercased()) }

    static func isName(_ text: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard let first = text.utf8.first, letters.contains(first) else { return false }
        return text.utf8.count <= Limits.schemaNameBytes
            && text.utf8.allSatisfy { byte in
                letters.contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "_")
            }
    }
}

extension Limits {
    /// Collections of a schema, and fields of one: more than people can oversee, and few enough to search
    /// for every record.
    package static let schemaCollections = 256
    package static let schemaFields = 256
    /// Bytes of a collection's or field's name.
    package static let schemaNameBytes = 64
}
