internal import Foundation

/// The content of one backup, in `backup.json`.
package struct BackupManifest: Codable, Sendable, Hashable {
    package struct Trip: Codable, Sendable, Hashable {
        package let id: String
        package let name: String
        /// The name of its schema; absent from backups of older versions.
        package let schema: String?

        package init(id: String, name: String, schema: String?) {
            (self.id, self.name, self.schema) = (id, name, schema)
        }
    }

    package static let fileName = "backup.json"

    package let format: Int
    /// The version of the program that made it.
    package let program: String
    /// Milliseconds since 1970.
    package let made: Int64
    /// The id of the device, as people see it, and its name.
    package let device: String
    package let deviceName: String
    package let personName: String
    /// Whether the keys of the device are in it.
    package let hasKeys: Bool
    /// All shared spaces, also those of other schemas than the journal's.
    package let trips: [Trip]
    /// Files of at least 64 KiB, thumbnails too; smaller ones are in the database.
    package let files: Int
    /// Files that people added, of any size; absent from backups of older versions.
    package let originals: Int?
    /// Of the files and the database.
    package let bytes: UInt64

    package init(
        program: String, made: Int64, device: String, deviceName: String, personName: String,
        hasKeys: Bool, trips: [Trip], files: Int, originals: Int?, bytes: UInt64
    ) {
        format = BackupManifest.currentFormat
        (self.program, self.made, self.device) = (program, made, device)
        (self.deviceName, self.personName, self.hasKeys) = (deviceName, personName, hasKeys)
        (self.trips, self.files, self.bytes) = (trips, files, bytes)
        self.originals = originals
    }

    package static let currentFormat = 1

    var encoded: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        }
    }

    /// Throws `BackupError.newer`, `damaged`.
    init(encoded: [UInt8]) throws(BackupError) {
        struct Format: Decodable { let format: Int }
        let decoder = JSONDecoder()
        let data = Data(encoded)
        if let format = try? decoder.decode(Format.self, from: data).format,
            format > BackupManifest.currentFormat
        {
            throw .newer
        }
        guard let manifest = try? decoder.decode(BackupManifest.self, from: data) else {
            throw .damaged(BackupManifest.fileName)
        }
        self = manifest
    }
}
