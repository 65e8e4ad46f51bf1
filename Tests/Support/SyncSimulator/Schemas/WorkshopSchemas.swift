import Node
import Records
import SyncCore

/// A schema with every strategy and every rule, in many versions with every kind of difference: a
/// workshop's records of its tools.
enum WorkshopSchemas {
    /// One version; two with the same number are made by two admins at once.
    struct Edition: Sendable {
        let pin: SchemaPin
        /// The form shown by a program that can read it.
        let schema: Schema
        /// Whether its format is that of newer programs.
        let isNewer: Bool
    }

    static let name = "workshop"
    static let greatestVersion: UInt32 = 6

    /// By version, the first of them 1.
    static let editions: [UInt32: [Edition]] = {
        var editions: [UInt32: [Edition]] = [:]
        for version in 1...greatestVersion {
            let all: [Set<Change>] = version == 1 ? [[]] : changes
            editions[version] = all.map { edition(version, $0, isNewer: false) }
            if version > 1 {
                editions[version]?.append(edition(version, [.title, .colour], isNewer: true))
            }
        }
        return editions
    }()

    /// The editions that only newer programs read.
    static let newer: [SchemaID: Schema] = {
        let all = editions.values.flatMap { $0 }.filter(\.isNewer)
        return Dictionary(all.map { ($0.schema.id, $0.schema) }) { first, _ in first }
    }()

    /// The difference of an edition to the first one.
    private enum Change {
        /// The field `label` is called `title` now.
        case title
        /// The collection `tool` is called `implement` now.
        case implement
        /// Other strategies.
        case strategies
        /// Other rules for deletions.
        case rules
        /// One more field and one more collection.
        case colour
        /// A field is left out.
        case unpriced
    }

    private static let changes: [Set<Change>] = [
        [.title, .colour], [.implement, .rules], [.strategies, .unpriced],
        [.title, .implement, .strategies, .colour],
    ]

    private static func edition(
        _ version: UInt32, _ changes: Set<Change>, isNewer: Bool
    ) -> Edition {
        let document = document(version, changes)
        do {
            let schema = try SchemaLoader.load(Array(document.utf8))
            let written = Array((isNewer ? "schema: 2\n" + document.dropFirst(10) : document).utf8)
            let id = SchemaID(Label.schema.hash(written))
            return Edition(
                pin: SchemaPin(schema: id, version: version, document: written),
                schema: Schema(
                    id: id, name: schema.name, version: version, collections: schema.collections),
                isNewer: isNewer)
        } catch {
            preconditionFailure("a workshop's schema that is none: \(error)")
        }
    }

    private static func document(_ version: UInt32, _ changes: Set<Change>) -> String {
        let isRenamed = changes.contains(.implement)
        let tool = isRenamed ? "implement" : "tool"
        let label =
            changes.contains(.title) ? "title: { type: text, was: label }" : "label: { type: text }"
        let isOther = changes.contains(.strategies)
        let (longest, merged) = isOther ? ("lastWrite", "userChoice") : ("longest", "mergeText")
        let price =
            changes.contains(.unpriced) ? "" : "price: { type: decimal, strategy: userChoice }"
        let isColoured = changes.contains(.colour)
        let colour = isColoured ? "colour: { type: text, strategy: userChoice }" : ""
        let (cascade, restrict) =
            changes.contains(.rules) ? ("restrict", "detach") : ("cascade", "restrict")
        return """
            schema: 1
            name: \(name)
            version: \(version)
            collections:
              shelf:
                fields:
                  name: { type: text }
                  order: { type: order }
              \(tool):
                \(isRenamed ? "was: tool" : "")
                fields:
                  \(label)
                  marks: { type: set, of: { type: text } }
                  story: { type: text, strategy: \(longest) }
                  notes: { type: text, strategy: \(merged), search: true }
                  hint: { type: text, strategy: mergeText }
                  \(price)
                  spot: { type: position, strategy: mostAccurate }
                  count: { type: integer }
                  bought: { type: time }
                  lent: { type: boolean }
                  extra: { type: json }
                  order: { type: order }
                  shelf: { type: reference, to: shelf, on_delete: \(cascade) }
                  part_of: { type: reference, to: \(tool), on_delete: \(cascade) }
                  spare: { type: reference, to: \(tool), on_delete: detach }
                  needs: { type: set, of: { type: reference, to: \(tool), on_delete: \(restrict) } }
                  \(colour)
                derived:
                  parts: { rule: count, of: \(tool), through: part_of }
            \(isColoured ? loan(of: tool) : "")

            """
    }

    private static func loan(of tool: String) -> String {
        """
          loan:
            fields:
              who: { type: text }
              tool: { type: reference, to: \(tool), on_delete: restrict }
        """
    }
}

/// The schemas that a device's program can read.
struct KnownSchemas: Sendable {
    let shelf: SchemaCache
    /// An older program reads no newer formats.
    let isOutdated: Bool

    func schema(_ pin: SchemaPin) -> Schema? {
        shelf.known(pin) ?? (isOutdated ? nil : WorkshopSchemas.newer[pin.schema])
    }
}
