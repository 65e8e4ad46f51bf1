import Archive
package import Device
import Foundation
import Glibc
package import LocalAPI
import Media
import Records
import Store
import SyncCore

/// Backs up everything on this device, and remembers when.
package struct BackupService: Sendable {
    private static let setting = "backup"

    private let node: AgentNode
    private let media: MediaLibrary

    package init(_ node: AgentNode, _ media: MediaLibrary) {
        (self.node, self.media) = (node, media)
    }

    /// The last backup; nil when there was none.
    package func last() throws -> LastBackup? {
        try node.store.settings.value(of: BackupService.setting).flatMap {
            try? JSONCoding.decode(LastBackup.self, from: Data($0.utf8))
        }
    }

    /// Remembers that a backup was made or restored.
    package func note(_ backup: LastBackup) throws {
        let text = String(decoding: try JSONCoding.encode(backup), as: UTF8.self)
        try node.store.settings.set(BackupService.setting, to: text)
    }

    /// Whether a text says which backups to keep, such as `7d,4w,12m`.
    package static func isRetention(_ text: String) -> Bool { BackupRetention(text) != nil }

    package func backUp(_ draft: BackupDraft) async throws -> BackupReport {
        guard let path = try draft.path ?? last()?.path else { throw Sentence.Backup.needsFolder }
        guard path.hasPrefix("/") else { throw APIError.relativePath(path) }
        let home = node.home.directory
        guard !(path + "/").hasPrefix(home + "/") else {
            throw APIError(
                code: .badInput,
                sentence: "\(Sentence.plain(path)) is in the folder that is to be backed up.",
                hint: "Name a folder elsewhere, best on another disk.")
        }
        let keep = try draft.keep ?? node.store.settings.value(of: DeviceSetting.backupKeep)
        let retention = try keep.map { text in
            guard let retention = BackupRetention(text) else {
                throw BackupSentence.badRetention(text)
            }
            return retention
        }
        return try await BackupWork.run(path) { isStopped in
            // The folder of the last backup is not made again: its disk may not be mounted.
            if draft.path == nil { _ = try BackupPlace(at: path) }
            let place = try BackupPlace(
                making: path,
                words: tr(
                    """
                    This folder was made by peersync, and holds backups of a travel journal.

                    A backup is a folder below "backups", with the database, the device's card \
                    and, unless it was
                    made without, its key. Photos and other large files are below "files", each \
                    once for all backups,
                    with the name that the database has for it.

                    Check everything:     peersync backup verify FOLDER
                                  or:     cd backups/NAME && sha256sum -c --quiet SHA256SUMS
                    Restore a device:     peersync restore FOLDER

                    Who has the key can read everything and act as its owner. Keep this folder \
                    where nobody else
                    gets it. Change nothing in it.
                    """))
            return try await media.hold.backingUp {
                try await write(to: place, draft, retention, isStopped)
            }
        }
    }

    private func write(
        to place: BackupPlace, _ draft: BackupDraft, _ retention: BackupRetention?,
        _ isStopped: @Sendable () -> Bool
    ) async throws -> BackupReport {
        let made = node.clock.wall
        let device = node.reference(node.identity.deviceID).id
        let home = BackedUpHome(node: node, media: media)
        let here = try await home.filesHere()
        try requireRoom(in: place, for: here)
        let writer = try BackupWriter(place, made: Int64(made.value), readsAll: draft.full)
        try writer.add(card: try FilePath.bytes(of: node.home.cardFile))
        if !draft.withoutKeys {
            let file = node.home.offeredKeyFile ?? node.home.keyFile
            try writer.add(key: try FilePath.bytes(of: file))
        }
        let bytes = here.reduce(0) { $0 + $1.length }
        let meter = ProgressMeter(.exporting, files: here.count, bytes: Int64(clamping: bytes))
        let lacking = try await BackupRun(home, writer).run {
            try StoreCopy(of: node.store).write(to: writer.storePath)
            try writer.addStore { _ in !isStopped() }
        } _: { files, bytes in
            meter.add(files: files, bytes: Int64(bytes))
            return !isStopped()
        }
        let spaces = try SpaceService(node).spaces()
        let count = try FileCount(node.store, writer, before: place.entries(), of: device)
        let name = try writer.finish(
            BackupManifest(
                program: ProgramVersion.text, made: Int64(made.value),
                device: device,
                deviceName: node.identity.deviceName, personName: node.identity.personName,
                hasKeys: !draft.withoutKeys,
                trips: spaces.map(BackupManifest.Trip.init),
                files: writer.files, originals: count.all, bytes: writer.bytes))
        let isNoted = try noteIfRoom(
            LastBackup(path: place.path, made: Moment(made), keys: !draft.withoutKeys))
        let gone = try retention.map { try place.remove(of: device, notKeptBy: $0, latest: name) }
        let trips = spaces.count(where: \.isTrip)
        var report = BackupReport(
            path: place.path, name: name, trips: trips, files: count.all,
            newFiles: count.new(writer), bytes: Int64(clamping: writer.bytes),
            keys: !draft.withoutKeys, damaged: try withoutThumbnails(lacking).count,
            removed: gone?.backups ?? 0, freed: Int64(clamping: gone?.bytes ?? 0),
            unreadable: gone?.unreadable.map { ShownText.line($0) },
            sameDisk: Self.disk(of: place.path) == Self.disk(of: node.home.directory))
        report.spaces = spaces.count > trips ? spaces.count - trips : nil
        report.newFolder = place.isNewFolder
        report.unnoted = isNoted ? nil : node.home.directory
        return report
    }

    /// A full disk under the home is a reason for a backup, not against it. Returns false on one.
    private func noteIfRoom(_ backup: LastBackup) throws -> Bool {
        do {
            try note(backup)
            return true
        } catch StoreError.diskFull {
            return false
        }
    }

    private func withoutThumbnails(_ files: Set<BlobID>) throws -> Set<BlobID> {
        guard !files.isEmpty else { return files }
        let named = try node.store.ledgers.keys.flatMap {
            try node.store.files.named(files, in: $0).map(\.named)
        }
        return files.subtracting(named.filter { $0.kind == .thumbnail }.map(\.blob))
    }

    private func requireRoom(
        in place: BackupPlace, for files: [(file: BlobID, length: UInt64)]
    ) throws {
        let lacking = files.filter { !place.has($0.file, length: $0.length) }
            .reduce(0) { $0 + $1.length }
        let needed = lacking + (try StoreCopy(of: node.store).byteCount())
        guard let free = BlobFiles.freeBytes(at: place.path), free < needed else { return }
        throw APIError(
            code: .failed,
            sentence: """
                There is not enough room in \(Sentence.plain(place.path)): \
                \(Sentence.size(Int64(clamping: needed))) are needed, \
                \(Sentence.size(Int64(clamping: free))) are free.
                """,
            hint: "No backup was made. Make room on that disk, or use another one.")
    }

    /// The files of a backup as lists count them: those that people added.
    private struct FileCount {
        private let large: Set<BlobID>
        private let small: Int
        /// Those that came after this device's backup before.
        private let newSmall: Int

        var all: Int { large.count + small }

        init(
            _ store: SyncStore, _ writer: BackupWriter, before entries: [BackupPlace.Entry],
            of device: String
        ) throws {
            let last = entries.compactMap(\.manifest).filter { $0.device == device }.map(\.made)
                .max()
            let originals = try store.files.originals
            let inDatabase = originals.filter(\.isSmall)
            large = Set(originals.map(\.blob).filter { writer.holds($0) })
            small = inDatabase.count
            newSmall = inDatabase.count { file in
                last.map { Int64(clamping: file.cameAt.value) > $0 } ?? true
            }
        }

        /// Once the backup is finished.
        func new(_ writer: BackupWriter) -> Int {
            large.intersection(writer.written).count + newSmall
        }
    }

    /// Identifies the file system of a path.
    private static func disk(of path: String) -> UInt64? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return UInt64(status.st_dev)
    }
}

extension BackupManifest.Trip {
    fileprivate init(_ space: TripView) {
        self.init(id: space.id, name: space.name, schema: space.schema)
    }
}
