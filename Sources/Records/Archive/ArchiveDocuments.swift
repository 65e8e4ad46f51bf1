internal import Foundation
package import LocalAPI
package import SyncCore

/// What an archive says of itself: `archive.json`.
package struct ArchiveDescription: Codable, Sendable, Equatable {
    static let format = "peersync archive"
    static let version = 1

    let format: String
    /// Of the format; a program refuses those that it does not know.
    let version: Int
    package let space: Space
    /// Of what the space showed, as `peersync digest` says it.
    let digest: String
    package let written: Moment
    /// Who archived it, with which device and program.
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

    /// A file that some record names.
    package struct File: Codable, Sendable, Equatable {
        /// The id by which records name it.
        let blob: String
        package let bytes: Int64
        let kind: String
        /// Where it stands in the archive; absent for one that was not on the device that wrote it, or
        /// could not be read there.
        package let name: String?
        /// What its record is called; of one that is not in the archive.
        let title: String?
        /// True for one whose key was not on the device that wrote the archive.
        let closed: Bool?
    }
}

extension ArchiveDescription {
    /// Throws ``APIError`` for what is none, or one of a newer program.
    package init(parsing bytes: [UInt8]) throws {
        struct Format: Codable {
            let format: String
            let version: Int
        }
        do {
            let format = try JSONCoding.decode(Format.self, from: Data(bytes))
            guard format.format == ArchiveDescription.format else {
                throw APIError.archiveLine(ArchiveFile.description, line: nil)
            }
            guard format.version == ArchiveDescription.version else { throw APIError.archiveNewer }
            self = try JSONCoding.decode(ArchiveDescription.self, from: Data(bytes))
        } catch is DecodingError {
            throw APIError.archiveLine(ArchiveFile.description, line: nil)
        }
    }

    /// Spaces that are here and hold what was archived: that space itself, or what was made of an archive
    /// of it before.
    package func copies(_ service: RecordService) throws -> [Reference] {
        try service.directory.readable().compactMap { known in
            guard known.known != nil else { return nil }
            let origin = try service.origin(ofSpace: known.id)
            // One without an author goes on from another space and has only a part of it.
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
    /// Who wrote it last, and when.
    let author: String
    let changed: Moment
    /// Fields with more than one surviving value: see `conflicts.json`.
    var conflicts: [String]?
    /// Values of fields that the schema does not know. They are not taken in again.
    var unknown: [String: FieldValue]?
}

/// The files of an archive beside those of its records.
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
    /// As archives say it.
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
