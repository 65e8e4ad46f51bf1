internal import Foundation
package import LocalAPI
package import SyncCore

/// The description of an archive: `archive.json`.
package struct ArchiveDescription: Codable, Sendable, Equatable {
    static let format = "peersync archive"
    static let version = 1

    let format: String
    /// Version of the format; programs refuse unknown ones.
    let version: Int
    package let space: Space
    /// Digest of the shown records, as `peersync digest` prints it.
    let digest: String
    package let written: Moment
    /// The person who archived it; below, their device and program.
    package let person: String
    let device: String
    let program: String
    let people: [Person]
    package let files: [File]

    package struct Space: Codable, Sendable, Equatable {
        package let id: String
        package let name: String
        let schema: String
        /// Whether it was encrypted; absent in archives of older programs.
        package let encrypted: Bool?
    }

    struct Person: Codable, Sendable, Equatable {
        let id: String
        let name: String
        let role: Role
        let devices: [String]
    }

    /// A file that a record names.
    package struct File: Codable, Sendable, Equatable {
        /// Its id in records.
        let blob: String
        package let bytes: Int64
        let kind: String
        /// Its path in the archive; absent when it was missing or unreadable on the device that wrote the
        /// archive.
        package let name: String?
        /// The title of its record; only for a file that is not in the archive.
        let title: String?
        /// True for a file whose key was not on the device that wrote the archive.
        let closed: Bool?
    }
}

extension ArchiveDescription {
    /// Throws ``APIError`` for other bytes, and for a description by a newer program.
    package init(parsing bytes: [UInt8]) throws {
        struct Format: Codable {
            let format: String
            let version: Int
        }
        do {
            let format = try JSONCoding.decode(Format.self, from: Data(bytes))
            guard format.format == ArchiveDescription.format else {
                throw SpaceImport.archiveLine(ArchiveFile.description, line: nil)
            }
            guard format.version == ArchiveDescription.version else {
                throw SpaceImport.archiveNewer
            }
            self = try JSONCoding.decode(ArchiveDescription.self, from: Data(bytes))
        } catch is DecodingError {
            throw SpaceImport.archiveLine(ArchiveFile.description, line: nil)
        }
    }

    /// Spaces here with the archived records: the space itself, or ones that were made from an archive of
    /// it.
    package func copies(_ service: RecordService) throws -> [Reference] {
        try service.directory.readable().compactMap { known in
            guard known.known != nil else { return nil }
            let origin = try service.origin(ofSpace: known.id)
            // Without an author it is a space that continues a part of another one.
            let isCopy = origin?.source == space.id && origin?.author.isEmpty == false
            return known.id.description == space.id || isCopy ? known.reference : nil
        }
    }
}

/// A line of `records.jsonl`: a record as it was shown.
struct ArchivedRecord: Codable, Sendable, Equatable {
    let collection: String
    let id: String
    let fields: [String: FieldValue]
    /// The last author, and the time.
    let author: String
    let changed: Moment
    /// Fields with more than one surviving value: see `conflicts.json`.
    var conflicts: [String]?
    /// Values of fields that the schema does not have. They are not imported.
    var unknown: [String: FieldValue]?
}

/// The files of an archive, apart from those of its records.
package enum ArchiveFile {
    package static let description = "archive.json"
    package static let records = "records.jsonl"
    package static let history = "history.jsonl"
    package static let conflicts = "conflicts.json"
    package static let schema = "schema.yaml"
    package static let places = "places.gpx"
    package static let page = "index.html"
    package static let historyPage = "history.html"
}

extension NamedBlobKind {
    /// As spelled in archives.
    var word: String {
        switch self {
        case .original: "original"
        case .thumbnail: "thumbnail"
        case .track: "track"
        }
    }
}

extension Limits {
    /// Bytes of one JSON file of an archive, which is read whole: a million memories.
    package static let archiveJSONBytes: UInt64 = 1 << 30
    /// Bytes of a schema document in an archive, as in a commit.
    package static let archiveSchemaBytes: UInt64 = 1 << 20
}
