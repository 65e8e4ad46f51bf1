package import SyncCore
internal import Yams

/// Reads a schema document (YAML). Every mistake is named with its line.
package enum SchemaLoader {
    /// Why a schema document is refused, with the line it concerns, from 1.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let line: Int
        package let reason: String

        package var description: String { "line \(line): \(reason)" }
    }

    /// The journal, which ships inside the program.
    package static func journal() throws -> Schema {
        try load(PackageResources.journal_yaml)
    }

    /// The schema in a document's bytes (UTF-8); its id is their hash.
    package static func load(_ document: [UInt8]) throws -> Schema {
        guard document.count <= Limits.schemaBytes else {
            throw Failure(line: 1, reason: "longer than \(Limits.schemaBytes) bytes")
        }
        try SchemaText.check(document)
        let text = String(decoding: document, as: UTF8.self)
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch let error as YamlError {
            throw Failure(line: line(of: error), reason: "not valid YAML")
        }
        guard let root, let top = root.mapping else {
            throw Failure(line: 1, reason: "a schema is a mapping")
        }
        guard top["schema"]?.int == 1 else {
            throw failure(top["schema"] ?? root, "`schema: 1` is the only format known here")
        }
        guard let name = top["name"]?.string, !name.isEmpty else {
            throw failure(root, "`name` is missing")
        }
        guard let number = top["version"]?.int, let version = UInt32(exactly: number) else {
            throw failure(root, "`version` is not a whole number")
        }
        guard let collections = top["collections"]?.mapping else {
            throw failure(root, "`collections` is missing")
        }
        var known: [CollectionSchema] = []
        for (key, node) in collections {
            known.append(try collection(key, node, earlier: known.map(\.name)))
        }
        return Schema(
            id: SchemaID(Label.schema.hash(document)), name: name, version: version,
            collections: known)
    }

    private static func collection(
        _ key: Node, _ node: Node, earlier: [String]
    ) throws -> CollectionSchema {
        guard let name = key.string, isName(name) else {
            throw failure(key, "a collection's name is of a to z, 0 to 9 and _")
        }
        guard let fields = node.mapping?["fields"]?.mapping else {
            throw failure(node, "collection \(name) has no `fields`")
        }
        let known = earlier + [name]
        return CollectionSchema(
            name: name, fields: try fields.map { try field($0, $1, collections: known) })
    }

    private static func field(
        _ key: Node, _ node: Node, collections: [String]
    ) throws -> FieldSchema {
        guard let name = key.string, isName(name) else {
            throw failure(key, "a field's name is of a to z, 0 to 9 and _")
        }
        let type = try type(node, of: name, collections: collections)
        var strategy = MergeStrategy.lastWrite
        if case .set = type { strategy = .union }
        if let named = node.mapping?["strategy"] {
            guard let known = named.string.flatMap(MergeStrategy.init(rawValue:)) else {
                let choices = MergeStrategy.allCases.map(\.rawValue).joined(separator: ", ")
                throw failure(named, "the strategy of \(name) is not one of \(choices)")
            }
            guard known.fits(type) else {
                throw failure(named, "the strategy of \(name) does not fit its type")
            }
            strategy = known
        }
        return FieldSchema(
            name: name, type: type, strategy: strategy,
            isSearched: node.mapping?["search"]?.bool ?? false)
    }

    private static func type(
        _ node: Node, of name: String, collections: [String]
    ) throws -> FieldType {
        guard let mapping = node.mapping, let type = mapping["type"]?.string else {
            throw failure(node, "field \(name) has no `type`")
        }
        switch type {
        case "text": return .text
        case "integer": return .integer
        case "decimal": return .decimal
        case "boolean": return .boolean
        case "time": return .time
        case "position": return .position
        case "json": return .json
        case "blob": return .blob(try blobKind(mapping["kind"] ?? node))
        case "reference": return try reference(node, mapping, collections: collections)
        case "set":
            guard let element = mapping["of"] else {
                throw failure(node, "set \(name) does not say `of` what")
            }
            let elementType = try self.type(element, of: name, collections: collections)
            if case .set = elementType { throw failure(element, "a set of sets is not possible") }
            return .set(of: elementType)
        default: throw failure(node, "type \(type) of field \(name) is not known")
        }
    }

    private static func blobKind(_ node: Node) throws -> NamedBlobKind {
        switch node.string {
        case "original": return .original
        case "thumbnail": return .thumbnail
        case "track": return .track
        default: throw failure(node, "a blob's `kind` is original, thumbnail or track")
        }
    }

    private static func reference(
        _ node: Node, _ mapping: Node.Mapping, collections: [String]
    ) throws -> FieldType {
        guard let target = mapping["to"]?.string, collections.contains(target) else {
            throw failure(node, "`to` does not name a collection defined before")
        }
        guard
            let rule = mapping["on_delete"]?.string.flatMap(ReferenceRule.init(rawValue:))
        else {
            let choices = ReferenceRule.allCases.map(\.rawValue).joined(separator: ", ")
            throw failure(node, "`on_delete` is not one of \(choices)")
        }
        return .reference(collection: target, onDelete: rule)
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= Limits.nameBytes
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "_")
            }
    }

    private static func failure(_ node: Node, _ reason: String) -> Failure {
        Failure(line: node.mark?.line ?? 1, reason: reason)
    }

    private static func line(of error: YamlError) -> Int {
        switch error {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _),
            .composer(_, _, let mark, _):
            mark.line
        default: 1
        }
    }
}
