import Archive
import Device
import Encryption
import Foundation
package import LocalAPI
import Media
import Records
import SyncCore

/// Imports archives as new spaces.
extension ArchiveService {
    /// Makes a space from an archive, after reading and checking all of it.
    package func importArchive(_ wanted: ArchiveImport) async throws -> ImportReport {
        let identities = try wanted.identityPath.map { try Self.identities(in: $0) }
        let path = wanted.path
        return try await FileWorkExecutor.run { stopping in
            try await ArchiveSentence.sayingWhat(path, hasKey: identities != nil) {
                let found = try UnverifiedArchive(at: path, identities: identities ?? [])
                // A known archive is refused before minutes of reading.
                try refuseKnown(found, again: wanted.again)
                let archive = try Self.verified(found, stopping)
                return try await make(archive, isEncrypted: wanted.encrypted, stopping)
            }
        }
    }

    /// The file has one identity per line, and comments.
    private static func identities(in path: String) throws -> [AgeIdentity] {
        let lines = String(
            decoding: try FilePath.bytes(of: path).prefix(Limits.identityFileBytes), as: UTF8.self
        )
        .split(whereSeparator: \.isNewline)
        do throws(AgeError) {
            var identities: [AgeIdentity] = []
            for line in lines where !line.hasPrefix("#") {
                let text = line.trimmingCharacters(in: .whitespaces)
                if !text.isEmpty { identities.append(try AgeIdentity(text: text)) }
            }
            guard !identities.isEmpty else { throw .malformedKey }
            return identities
        } catch {
            throw APIError(
                code: .badInput, sentence: "There is no age key in \(Sentence.plain(path)).",
                hint:
                    "A line of the file must begin with AGE-SECRET-KEY-1, as age-keygen writes it.")
        }
    }

    private func refuseKnown(_ archive: UnverifiedArchive, again: Bool) throws {
        let bytes = try archive.glance(
            at: ArchiveFile.description, upTo: Limits.archiveJSONBytes)
        let description = try ArchiveDescription(parsing: bytes)
        let copies = try description.copies(records)
        guard copies.isEmpty || again else {
            throw archiveKnown(description.space.name, copies: copies)
        }
    }

    private static func verified(
        _ archive: UnverifiedArchive, _ stopping: CancellationFlag
    ) throws -> VerifiedArchive {
        let meter = ProgressMeter(
            .verifying, files: archive.fileCount, bytes: Int64(clamping: archive.byteCount))
        return try VerifiedArchive(verifying: archive) { files, bytes in
            meter.add(files: files, bytes: Int64(bytes))
            return !stopping.isStopped
        }
    }

    private func make(
        _ archive: VerifiedArchive, isEncrypted: Bool, _ stopping: CancellationFlag
    ) async throws -> ImportReport {
        let contents = try SpaceImport(node.schemas) { name, limit in
            try archive.contents(of: name, upTo: limit)
        }
        try contents.check(records)
        let taking = ArchivedFiles(
            archive, contents.files, media,
            ProgressMeter(
                .adding, files: contents.fileCount,
                bytes: Int64(clamping: contents.files.reduce(0) { $0 + $1.bytes })),
            stopping, isEncrypted: isEncrypted)
        do {
            // Steps that take time or room on the disk come first, before anything is visible.
            try taking.stage()
            try Task.checkCancellation()
            let trip = try await contents.write(records, isEncrypted: isEncrypted) { space in
                try await taking.keep(in: space)
            }
            return ImportReport(
                trip: trip, records: contents.recordCount, files: contents.fileCount,
                leftOut: contents.leftOut,
                wasEncrypted: contents.description.space.encrypted ?? false)
        } catch {
            await taking.drop()
            throw error
        }
    }
}

extension Limits {
    /// Bytes to read of a file with identities.
    static let identityFileBytes = 1 << 20
}

private func archiveKnown(_ name: String, copies: [Reference]) -> APIError {
    let here = copies.map { "\(Sentence.name($0.name)) (\($0.shortID))" }
        .joined(separator: ", ")
    return APIError(
        code: .confirmationNeeded,
        sentence: """
            \(Sentence.name(name)) of this archive is already here: \(here).
            """,
        hint: """
            Nothing was imported, and the two were not compared. To import it as a second one: \
            --again
            """)
}
