import Archive
package import Device
import Encryption
import Foundation
package import LocalAPI
internal import Logging
import Media
import Records
import Store
import SyncCore

/// Writes spaces to archives, for keeping and for programs that know nothing of peersync.
package struct ArchiveService: Sendable {
    let node: AgentNode
    let media: MediaLibrary

    package init(_ node: AgentNode, _ media: MediaLibrary) {
        (self.node, self.media) = (node, media)
    }

    var records: RecordService { RecordService(node) }

    /// Writes a shared space to a new folder, or to a new file for age recipients.
    package func archive(_ typed: String, _ target: ArchiveTarget) async throws -> ArchiveReport {
        let recipients = try target.encryptedTo.map { text in
            do throws(AgeError) {
                return try AgeRecipient(text: text)
            } catch {
                throw APIError(
                    code: .badInput, sentence: "\(Sentence.name(text)) is no recipient of age.",
                    hint: """
                        It begins with age1. Make a key, and see its recipient: age-keygen -o \
                        key.txt
                        """)
            }
        }
        guard target.path.hasPrefix("/") else { throw APIError.relativePath(target.path) }
        let archive = try records.archive(typed)
        let files = archive.files.filter { $0.kind != .thumbnail }
        let closed = LeftFiles(files.filter(\.isClosed).map(\.title))
        let missing = files.count { !$0.isHere } - closed.count
        guard target.incomplete || missing + closed.count == 0 else {
            throw closed.count == 0
                ? ArchiveService.filesMissing(missing, of: files.count, trip: archive.space.name)
                : filesClosed(
                    closed, missing: missing, of: files.count, trip: archive.space.name)
        }
        let path = try Self.path(of: archive, target.path, isEncrypted: !recipients.isEmpty)
        let written = try await FileWorkExecutor.run { stopping in
            try await ArchiveSentence.sayingWhat(path) {
                try await write(archive, to: path, recipients, stopping)
            }
        }
        return ArchiveReport(
            path: path, space: archive.space, records: archive.recordCount,
            files: files.count(where: \.isHere), bytes: Int64(clamping: written), missing: missing,
            closed: closed, encrypted: !recipients.isEmpty)
    }

    private static func path(
        of archive: SpaceArchive, _ path: String, isEncrypted: Bool
    ) throws(APIError) -> String {
        var isFolder: ObjCBool = false
        let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard exists && isFolder.boolValue else { return path }
        let isArchive = [Checksums.fileName, ArchiveFile.description].allSatisfy {
            FileManager.default.fileExists(atPath: "\(path)/\($0)")
        }
        guard !isArchive else {
            throw ArchiveSentence.archiveThere(ShownText.line(path))
        }
        let name = ExportName(suggested: archive.space.name, id: .zero).value
        return "\(path)/\(name)" + (isEncrypted ? ".tar.age" : "")
    }

    /// The bytes of the files that are in it.
    private func write(
        _ archive: SpaceArchive, to path: String, _ recipients: [AgeRecipient],
        _ stopping: CancellationFlag
    ) async throws -> UInt64 {
        let names = ArchiveFileNames(archive.files).names
        let files = archive.files.filter(\.isHere)
        let bytes = files.reduce(0) { $0 + $1.bytes }
        guard Self.hasRoom(for: bytes, at: path) else { throw ArchiveSentence.archiveNoRoom(path) }
        let sink: any ArchiveSink =
            recipients.isEmpty
            ? try FolderSink(path, isPrivate: archive.isEncrypted)
            : try AgeSink(
                path, top: ExportName(suggested: archive.space.name, id: .zero).value,
                recipients: recipients, modified: node.now.value / 1000)
        note(sink.part, isThere: true)
        defer { note(sink.part, isThere: false) }
        let meter = ProgressMeter(
            recipients.isEmpty ? .exporting : .verifying,
            files: files.count { $0.kind != .thumbnail },
            bytes: Int64(clamping: bytes))
        var sums = Checksums()
        var contents: [BlobID: SpaceArchive.Content] = [:]
        for file in files {
            guard let name = names[file.blob].flatMap({ ArchiveName($0) }) else { continue }
            let (sum, content) = try await add(file, name, to: sink, meter, stopping)
            sums.add(name, sum)
            contents[file.blob] = content
        }
        for (name, bytes) in try archive.documents(names, contents) {
            sums.add(try Self.name(name), try Self.add(bytes, name, to: sink))
        }
        _ = try Self.add(sums.bytes, Checksums.fileName, to: sink)
        let writing = ProgressMeter(
            recipients.isEmpty ? .saving : .exporting, bytes: Int64(clamping: bytes))
        try await sink.finish { written in
            writing.add(bytes: Int64(written))
            return !stopping.isStopped
        }
        return bytes
    }

    // MARK: Parts of archives

    private static let partSetting = "archive.part."

    /// Remembers the path of an unfinished archive.
    private func note(_ part: String, isThere: Bool) {
        let name = part.split(separator: "/").last.map(String.init) ?? part
        do {
            try node.store.settings.set(
                Self.partSetting + name, to: isThere ? part : nil, isPassing: true)
        } catch {
            // The archive may be on another disk, which has room.
            node.storage.notWritten("part of an archive not noted", error)
        }
    }

    /// Removes unfinished archives, which are unencrypted, that a killed agent left beside their
    /// destinations. Called before anything else is written.
    package func removeParts() {
        do {
            for (key, part) in try node.store.settings.all() where key.hasPrefix(Self.partSetting) {
                do {
                    try ArchivePart.remove(part)
                } catch {
                    // Removed another time: its disk may not be mounted.
                    node.logger.note(
                        .warning, .files, "unfinished archive not removed",
                        details: ["why": .reason(error)])
                    continue
                }
                try node.store.settings.set(key, to: nil, isPassing: true)
            }
        } catch {
            node.couldNotRead("parts of archives not removed", error)
        }
    }

    /// Reads a file once, decrypted. Unless the key proves that it is whole, compares it with its id on the
    /// way.
    private func add(
        _ file: SpaceArchive.File, _ name: ArchiveName, to sink: any ArchiveSink,
        _ meter: ProgressMeter, _ stopping: CancellationFlag
    ) async throws -> (sum: Bytes32, content: SpaceArchive.Content) {
        var hash = BlobHash()
        let sum: Bytes32
        let list: ChunkList
        do {
            let (input, isDecrypted) = try media.plaintext(of: file.blob, bytes: file.bytes)
            sum = try sink.add(name, input) { piece in
                try hash.update(piece)
                meter.add(bytes: Int64(piece.count))
                return !stopping.isStopped
            }
            list = try hash.finish()
            guard isDecrypted || list.blobID == file.blob else {
                throw BlobFilesError.corrupt(file.blob)
            }
        } catch  where LostBlobs.isLoss(error) || error as? ArchiveError == .unreadable(name.text) {
            try await media.reportLoss(of: file.blob)
            throw APIError(
                code: .notHere,
                sentence: "A file of \(Sentence.plain(file.title)) is damaged on this disk.",
                hint: "Nothing was written. It is fetched again from other devices: peersync sync")
        }
        meter.add(file.kind)
        return (sum, SpaceArchive.Content(id: list.blobID, bytes: list.length))
    }

    private static func name(_ text: String) throws -> ArchiveName {
        guard let name = ArchiveName(text) else { throw ArchiveError.unsafeName }
        return name
    }

    private static func add(
        _ bytes: [UInt8], _ name: String, to sink: any ArchiveSink
    ) throws -> Bytes32 {
        try sink.add(try self.name(name), MemoryInput(bytes)) { _ in true }
    }

    /// True when the disk gives no answer: writing will show it.
    private static func hasRoom(for bytes: UInt64, at path: String) -> Bool {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return BlobFiles.freeBytes(at: folder).map { $0 >= bytes } ?? true
    }
}

/// `closed` of so many files cannot be read here, and `missing` are not here.
private func filesClosed(
    _ closed: LeftFiles, missing: Int, of total: Int, trip: String
) -> APIError {
    let rest =
        missing > 0
        ? tr(
            missing, " \(missing) is not here at all.", " \(missing) are not here at all.") : ""
    let files = Sentence.count(total, "file", "files")
    let (name, names) = (Sentence.name(trip), Sentence.Encryption.names(closed))
    return APIError(
        code: .notHere,
        sentence: tr(
            closed.count,
            """
            \(closed.count) of the \(files) of \(name) is encrypted with keys that are not on \
            this device: \(names).\(rest)
            """,
            """
            \(closed.count) of the \(files) of \(name) are encrypted with keys that are not on \
            this device: \(names).\(rest)
            """),
        hint:
            "Fetch what devices in reach have: peersync sync. To archive it without: --incomplete"
    )
}

extension ArchiveService {
    package static func filesMissing(_ count: Int, of total: Int, trip: String) -> APIError {
        let files = Sentence.count(total, "file", "files")
        return APIError(
            code: .notHere,
            sentence: count == 1
                ? "\(count) of the \(files) of \(Sentence.name(trip)) is not on this device."
                : "\(count) of the \(files) of \(Sentence.name(trip)) are not on this device.",
            hint: """
                Fetch what devices in reach have: peersync sync. To archive it without: \
                --incomplete
                """)
    }
}
