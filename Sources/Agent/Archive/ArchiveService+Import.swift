import Archive
import Encryption
import Foundation
import LocalAPI
import Media
import Records
import SyncCore

/// Spaces made of archives.
extension ArchiveService {
    /// Makes a space of an archive, after all of it was read and checked.
    func importArchive(_ wanted: ArchiveImport) async throws -> ImportReport {
        let identities = try wanted.identityPath.map { try Self.identities(in: $0) }
        let path = wanted.path
        return try await Stopping.whenCancelled { stopping in
            try await withTaskExecutorPreference(ArchiveExecutor.shared) {
                try await ArchiveSentence.sayingWhat(path, hasKey: identities != nil) {
                    let found = try UnverifiedArchive(at: path, identities: identities ?? [])
                    // What is here already is told before minutes of reading.
                    try refuseKnown(found, again: wanted.again)
                    let archive = try Self.verified(found, stopping)
                    return try await make(archive, stopping)
                }
            }
        }
    }

    /// Identities stand on lines of their own, among comments.
    private static func identities(in path: String) throws -> [AgeIdentity] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw APIError.unreadableFile(path)
        }
        let lines = String(decoding: data.prefix(Limits.identityFileBytes), as: UTF8.self)
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
            throw APIError.badIdentityFile(path)
        }
    }

    private func refuseKnown(_ archive: UnverifiedArchive, again: Bool) throws {
        let bytes = try archive.glance(
            at: ArchiveFile.description, upTo: Limits.archiveJSONBytes)
        let description = try ArchiveDescription(parsing: bytes)
        let copies = try description.copies(records)
        guard copies.isEmpty || again else {
            throw APIError.archiveKnown(description.space.name, copies: copies)
        }
    }

    private static func verified(
        _ archive: UnverifiedArchive, _ stopping: Stopping
    ) throws -> VerifiedArchive {
        let meter = ProgressMeter(
            .verifying, files: archive.fileCount, bytes: Int64(clamping: archive.byteCount))
        return try VerifiedArchive(verifying: archive) { files, bytes in
            meter.add(files: files, bytes: Int64(bytes))
            return !stopping.isStopped
        }
    }

    private func make(
        _ archive: VerifiedArchive, _ stopping: Stopping
    ) async throws -> ImportReport {
        let contents = try SpaceImport(node.schemas) { name, limit in
            try archive.contents(of: name, upTo: limit)
        }
        try contents.check(records)
        let taking = ArchivedFiles(
            archive, contents.files, node.media,
            ProgressMeter(
                .adding, files: contents.files.count,
                bytes: Int64(clamping: contents.files.reduce(0) { $0 + $1.bytes })),
            stopping)
        do {
            // Whatever needs room on the disk or time is done before there is anything to see.
            try taking.stage()
            try Task.checkCancellation()
            let trip = try await contents.write(records) { space in
                try await taking.keep(in: space)
            }
            return ImportReport(
                trip: trip, records: contents.recordCount, files: contents.files.count,
                leftOut: contents.leftOut)
        } catch {
            await taking.drop()
            throw error
        }
    }
}

/// The files of an archive on their way into a space.
private final class ArchivedFiles {
    private let archive: VerifiedArchive
    private let large: [SpaceImport.File]
    private let small: [SpaceImport.File]
    private let media: MediaLibrary
    private let meter: ProgressMeter
    private let stopping: Stopping
    private var staged: [ImportedBlob] = []

    init(
        _ archive: VerifiedArchive, _ files: [SpaceImport.File], _ media: MediaLibrary,
        _ meter: ProgressMeter, _ stopping: Stopping
    ) {
        (self.archive, self.media, self.meter) = (archive, media, meter)
        self.stopping = stopping
        large = files.filter { $0.bytes >= UInt64(Limits.smallBlobBytes) }
        small = files.filter { $0.bytes < UInt64(Limits.smallBlobBytes) }
    }

    /// Copies those that become files here, and looks at the others.
    func stage() throws {
        let bytes = (large + small).reduce(0) { $0 + $1.bytes }
        try media.files.requireRoom(for: bytes)
        for file in small { _ = try take(file, isCounted: false) }
        for file in large { staged.append(try take(file)) }
    }

    /// Makes all of them durable; the small ones some at a time, as they are held in memory for that.
    func keep(in space: SpaceID) async throws {
        let large = staged
        staged = []
        if !large.isEmpty { try await media.keep(large, in: space) }
        for start in stride(from: 0, to: small.count, by: Limits.smallFilesAtOnce) {
            let end = min(start + Limits.smallFilesAtOnce, small.count)
            try await media.keep(small[start..<end].map { try take($0) }, in: space)
        }
        meter.begin(.saving)
    }

    /// Gives back the room of what is not wanted any more.
    func drop() async {
        for blob in staged { await media.drop(blob) }
        staged = []
    }

    private func take(
        _ file: SpaceImport.File, isCounted: Bool = true
    ) throws -> ImportedBlob {
        guard let name = ArchiveName(file.name), archive.length(of: name) == file.bytes else {
            throw ArchiveError.unlisted(file.name)
        }
        let blob = try media.files.take(file.bytes) { take in
            try archive.read(name) { piece in
                try take(piece)
                if isCounted { meter.add(bytes: Int64(piece.count)) }
                return !stopping.isStopped
            }
        }
        guard blob.id == file.id else {
            staged.append(blob)
            throw ArchiveError.changed(file.name)
        }
        if isCounted { meter.add(files: 1) }
        return blob
    }
}

extension Limits {
    /// Bytes that are read of a file with identities.
    static let identityFileBytes = 1 << 20
    /// Small files of an archive that are held in memory until they are durable: 16 MiB.
    static let smallFilesAtOnce = 256
}
