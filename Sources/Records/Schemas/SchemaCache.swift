package import SyncCore
internal import Synchronization

/// The schemas that this program can read: the built-in one, and those whose documents came with a space. A
/// document is parsed once; an unreadable one stays unreadable until there is a newer program.
package final class SchemaCache: Sendable {
    /// Why a space's schema cannot be followed here.
    package enum Obstacle: Error, Hashable, Sendable {
        /// Written in a format of newer programs.
        case newer
        /// Not a schema, or not the document that the space pins.
        case unreadable
        /// The document is not here.
        case absent
    }

    private let read = Mutex<[SchemaID: Result<Schema, Obstacle>]>([:])
    /// The schema of a space unless another one is named.
    package let builtIn: BuiltInSchema
    package let builtInSchema: Schema
    package let builtInPin: SchemaPin

    /// Throws ``SchemaLoader/Failure`` only when the program was built wrong.
    package init(_ builtIn: BuiltInSchema) throws {
        self.builtIn = builtIn
        let schema = try SchemaLoader.load(builtIn.document)
        builtInSchema = schema
        // The document travels with each space, so that older and newer programs follow it too.
        builtInPin = SchemaPin(
            schema: schema.id, version: schema.version, document: builtIn.document)
        read.withLock { $0[schema.id] = .success(schema) }
    }

    /// The schema that a pin names.
    package func schema(_ pin: SchemaPin) throws(Obstacle) -> Schema {
        if let known = read.withLock({ $0[pin.schema] }) { return try known.get() }
        guard let document = pin.document else { throw .absent }
        // A document with another hash is not the pinned one, and not worth parsing.
        guard pin.isWhole else { throw .unreadable }
        let result = SchemaCache.load(document)
        read.withLock { read in
            // Keeps a peer that pins one schema after the other from filling the memory.
            if read.count >= Limits.schemasKept {
                read = [builtInSchema.id: .success(builtInSchema)]
            }
            read[pin.schema] = result
        }
        return try result.get()
    }

    /// The schema that a pin names; nil if it cannot be followed.
    package func known(_ pin: SchemaPin) -> Schema? {
        do {
            return try schema(pin)
        } catch {
            return nil
        }
    }

    /// The word for a record of a collection.
    func noun(of collection: String, _ record: ShownRecord?, in schema: Schema) -> String {
        let noun = schema.isJournal ? builtIn.noun(collection, record) : nil
        return noun ?? ShownText.line(collection).replacing("_", with: " ")
    }

    private static func load(_ document: [UInt8]) -> Result<Schema, Obstacle> {
        do {
            return .success(try SchemaLoader.load(document))
        } catch let failure as SchemaLoader.Failure {
            return .failure(failure.isNewer ? .newer : .unreadable)
        } catch {
            return .failure(.unreadable)
        }
    }
}

extension Limits {
    /// Schemas that are kept in memory: more than a household has spaces.
    package static let schemasKept = 128
}
