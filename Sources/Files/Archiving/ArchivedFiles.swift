import Archive
import Encryption
import LocalAPI
import Media
import Records
import SyncCore

/// The files of an archive that is being imported into a space.
final class ArchivedFiles {
    private let archive: VerifiedArchive
    private let large: [SpaceImport.File]
    private let small: [SpaceImport.File]
    private let media: MediaLibrary
    private let meter: ProgressMeter
    private let stopping: CancellationFlag
    private let isEncrypted: Bool
    private var staged: [ImportedBlob] = []
    /// Chunk lists of the files to be encrypted, for verifying their bytes once there is a key.
    private var lists: [BlobID: ChunkList] = [:]

    init(
        _ archive: VerifiedArchive, _ files: [SpaceImport.File], _ media: MediaLibrary,
        _ meter: ProgressMeter, _ stopping: CancellationFlag, isEncrypted: Bool
    ) {
        (self.archive, self.media, self.meter) = (archive, media, meter)
        (self.stopping, self.isEncrypted) = (stopping, isEncrypted)
        large = files.filter { $0.bytes >= UInt64(Limits.smallBlobBytes) }
        small = files.filter { $0.bytes < UInt64(Limits.smallBlobBytes) }
    }

    /// Copies large files into the blobs, and verifies the others.
    func stage() throws {
        let bytes = (large + small).reduce(0) { $0 + $1.bytes }
        try media.files.requireRoom(for: bytes)
        guard !isEncrypted else {
            for file in large + small { lists[file.id] = try hash(file) }
            return
        }
        for file in small { _ = try copy(file, isCounted: false) }
        for file in large { staged.append(try copy(file)) }
    }

    /// Makes all files durable, in batches. Returns the blobs whose encryption gave them another id, by
    /// their former id.
    func keep(in space: SpaceID) async throws -> [BlobID: NamedBlob] {
        guard !isEncrypted else { return try await encrypt(in: space) }
        let large = staged
        staged = []
        if !large.isEmpty { try await media.keep(large, in: space) }
        for part in parts(of: small) {
            try await media.keep(part.map { try copy($0) }, in: space)
        }
        meter.begin(.saving)
        return [:]
    }

    /// Frees the room of files that are no longer wanted.
    func drop() async {
        for blob in staged { await media.drop(blob) }
        staged = []
    }

    private func parts(of files: [SpaceImport.File]) -> [ArraySlice<SpaceImport.File>] {
        stride(from: 0, to: files.count, by: Limits.archivedFilesAtOnce).map { start in
            files[start..<min(start + Limits.archivedFilesAtOnce, files.count)]
        }
    }

    private func copy(
        _ file: SpaceImport.File, isCounted: Bool = true
    ) throws -> ImportedBlob {
        let name = try name(of: file)
        let blob = try media.files.store(file.bytes) { write in
            try archive.read(name) { piece in
                try write(piece)
                if isCounted { meter.add(bytes: Int64(piece.count)) }
                return !stopping.isStopped
            }
        }
        guard blob.id == file.id else {
            staged.append(blob)
            throw ArchiveError.changed(file.name)
        }
        if isCounted { meter.add(file.blob.kind) }
        return blob
    }

    private func name(of file: SpaceImport.File) throws -> ArchiveName {
        guard let name = ArchiveName(file.name), archive.length(of: name) == file.bytes else {
            throw ArchiveError.unlisted(file.name)
        }
        return name
    }

    // MARK: Encrypting

    private func hash(_ file: SpaceImport.File) throws -> ChunkList {
        var hash = BlobHash()
        try archive.read(name(of: file)) { piece in
            try hash.update(piece)
            return !stopping.isStopped
        }
        let list = try hash.finish()
        guard list.blobID == file.id else { throw ArchiveError.changed(file.name) }
        return list
    }

    private func encrypt(in space: SpaceID) async throws -> [BlobID: NamedBlob] {
        var encrypted: [BlobID: NamedBlob] = [:]
        for part in parts(of: large + small) {
            let files = Dictionary(part.map { ($0.id, $0) }) { first, _ in first }
            let made = try await media.encrypt(part.map(\.blob), in: space, meter) { blob in
                guard let file = files[blob], let list = lists[blob] else {
                    throw BlobFilesError.notFound(blob)
                }
                return CheckedInput(
                    input: try archive.open(name(of: file)), list: list,
                    fault: ArchiveError.changed(file.name))
            } failed: { _, error in
                throw error
            }
            encrypted.merge(made) { $1 }
        }
        return encrypted
    }
}

extension Limits {
    /// Files of an archive that become durable together; until then small ones are held in memory, up to 16
    /// MiB.
    static let archivedFilesAtOnce = 256
}
