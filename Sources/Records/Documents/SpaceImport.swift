internal import Foundation
internal import LocalAPI
package import SyncCore

/// The content of an archive, read whole and checked against the schema in it.
package struct SpaceImport: Sendable {
    package let description: ArchiveDescription
    /// The files in it that its records name, each once.
    package let files: [File]
    package var recordCount: Int { records.count }
    /// Of them those that people added.
    package var fileCount: Int { files.count { $0.blob.kind != .thumbnail } }
    let schema: Schema
    let pin: SchemaPin
    let records: [CopiedRecord]

    package struct File: Sendable {
        package let name: String
        package let blob: NamedBlob

        package var id: BlobID { blob.blob }
        package var bytes: UInt64 { blob.size }
    }

    /// `read` returns the bytes of a file of the archive, up to a limit. Throws ``APIError``, and what
    /// `read` throws.
    package init(
        _ schemas: SchemaCache, reading read: (_ name: String, _ limit: UInt64) throws -> [UInt8]
    ) throws {
        let bytes = try read(ArchiveFile.description, Limits.archiveJSONBytes)
        description = try ArchiveDescription(parsing: bytes)
        let document = try read(ArchiveFile.schema, Limits.archiveSchemaBytes)
        (schema, pin) = try SpaceImport.followed(document, schemas)
        var known: [String: NamedBlob] = [:]
        var files: [File] = []
        for file in description.files {
            guard let blob = file.namedBlob, known.updateValue(blob, forKey: file.blob) == nil
            else {
                throw SpaceImport.archiveLine(ArchiveFile.description, line: nil)
            }
            if let name = file.name { files.append(File(name: name, blob: blob)) }
        }
        let lines = try read(ArchiveFile.records, Limits.archiveJSONBytes)
        let found = try ArchivedRecords(schema, files: Set(known.keys), lines)
        // A record of a missing file is of little use.
        let here = Set(files.map(\.blob.blob))
        records = found.records.compactMap { $0.without(filesExcept: here) }
        let wanted = Set(records.flatMap(\.blobs))
        self.files = files.filter { wanted.contains($0.blob.blob) }
    }

    /// Records that are left out, because their file was not in the archive.
    package var leftOut: Int {
        description.files.count { $0.name == nil && $0.kind != "thumbnail" }
    }

    private static func followed(
        _ document: [UInt8], _ schemas: SchemaCache
    ) throws -> (Schema, SchemaPin) {
        do {
            let schema = try SchemaLoader.load(document)
            let pin = SchemaPin(schema: schema.id, version: schema.version, document: document)
            return (try schemas.schema(pin), pin)
        } catch let failure as SchemaLoader.Failure where failure.isNewer {
            throw SpaceImport.archiveNewer
        } catch is SchemaLoader.Failure {
            throw SpaceImport.archiveLine(ArchiveFile.schema, line: nil)
        } catch is SchemaCache.Obstacle {
            throw SpaceImport.archiveLine(ArchiveFile.schema, line: nil)
        }
    }
}

extension ArchiveDescription.File {
    fileprivate var namedBlob: NamedBlob? {
        let kinds: [NamedBlobKind] = [.original, .thumbnail, .track]
        guard let id = BlobID(text: blob), let size = UInt64(exactly: bytes),
            let kind = kinds.first(where: { $0.word == kind })
        else { return nil }
        return NamedBlob(blob: id, size: size, kind: kind)
    }
}

extension SpaceImport {
    static let archiveNewer = APIError(
        code: .badInput, sentence: "The archive was written by a newer peersync.",
        hint: "Nothing was imported. Install the newer version.")

    static func archiveLine(_ file: String, line: Int?) -> APIError {
        let place = line.map { tr("line \($0) of \(file)") } ?? file
        return APIError(
            code: .badInput,
            sentence: "The archive cannot be used: \(place) does not fit its schema.",
            hint: "Nothing was imported. Take another copy of the archive.")
    }
}
