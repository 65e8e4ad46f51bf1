internal import LocalAPI
package import SyncCore
internal import Yams

/// Reads a schema document (YAML). Every mistake is named with its line and its place.
package enum SchemaLoader {
    /// The known format of documents.
    package static let format = 1

    /// One mistake in a document.
    package struct Mistake: Error, Hashable, CustomStringConvertible {
        /// From 1.
        package let line: Int
        /// Where, as in `collections.memory.fields.title`; empty for the document as a whole.
        package let path: String
        package let reason: String
        /// The word may be one of a newer peersync.
        package var isUnknownWord = false

        package var description: String {
            path.isEmpty ? tr("line \(line): \(reason)") : tr("line \(line), \(path): \(reason)")
        }
    }

    /// Why a schema document is refused.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// In the order of their lines, at least one.
        package let mistakes: [Mistake]
        /// Whether a newer program may have written it: it has an unknown format or unknown words.
        package let isNewer: Bool

        init(_ mistakes: [Mistake], isNewer: Bool = false) {
            self.mistakes = mistakes.sorted { ($0.line, $0.path) < ($1.line, $1.path) }
            self.isNewer = isNewer || mistakes.contains(where: \.isUnknownWord)
        }

        /// Of the first mistake.
        package var line: Int { mistakes.first?.line ?? 1 }
        package var description: String {
            mistakes.map(\.description).joined(separator: "\n")
        }
    }

    /// The schema in a document's bytes (UTF-8); its id is their hash. Throws ``Failure``.
    package static func load(_ document: [UInt8]) throws -> Schema {
        let root = try parse(document)
        guard let top = root.mapping else {
            throw Failure([mistake(root, "", tr("a schema must be a mapping"))])
        }
        guard let number = SchemaReader.number(top["schema"]), number >= 1 else {
            throw Failure([
                mistake(top["schema"] ?? root, "schema", tr("it begins with `schema: 1`"))
            ])
        }
        guard number == format else {
            let reason = tr(
                "format \(number) is of a newer peersync; this one reads format \(format)")
            throw Failure([mistake(top["schema"] ?? root, "schema", reason)], isNewer: true)
        }
        var reader = SchemaReader()
        let schema = reader.schema(root, id: SchemaID(Label.schema.hash(document)))
        guard reader.mistakes.isEmpty else { throw Failure(reader.mistakes) }
        return schema
    }

    /// Every mistake in a document; none when it is a schema.
    package static func mistakes(in document: [UInt8]) -> [Mistake] {
        do {
            _ = try load(document)
            return []
        } catch let failure as Failure {
            return failure.mistakes
        } catch {
            return [Mistake(line: 1, path: "", reason: "\(error)")]
        }
    }

    private static func parse(_ document: [UInt8]) throws -> Node {
        guard document.count <= Limits.schemaBytes else {
            throw Failure([
                Mistake(line: 1, path: "", reason: tr("longer than \(Limits.schemaBytes) bytes"))
            ])
        }
        guard let text = String(validating: document, as: UTF8.self) else {
            throw Failure([Mistake(line: 1, path: "", reason: tr("it is not UTF-8 text"))])
        }
        do {
            try SchemaText.check(document)
        } catch {
            throw Failure([error])
        }
        do {
            guard let root = try Yams.compose(yaml: text) else {
                throw Failure([Mistake(line: 1, path: "", reason: tr("a schema must be a mapping"))]
                )
            }
            return root
        } catch let error as YamlError {
            throw Failure([mistake(of: error)])
        }
    }

    static func mistake(
        _ node: Node, _ path: String, _ reason: String, isUnknownWord: Bool = false
    ) -> Mistake {
        Mistake(
            line: node.mark?.line ?? 1, path: path, reason: reason, isUnknownWord: isUnknownWord)
    }

    private static func mistake(of error: YamlError) -> Mistake {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            Mistake(line: mark.line, path: "", reason: tr("it is no YAML: \(problem)"))
        case .duplicatedKeysInMapping(let keys, let context):
            Mistake(
                line: context.mark.line, path: "",
                reason: tr("a name is there twice: \(keys.prefix(3).joined(separator: ", "))"))
        default: Mistake(line: 1, path: "", reason: tr("it is no YAML"))
        }
    }
}
