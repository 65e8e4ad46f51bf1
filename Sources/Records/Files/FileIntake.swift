internal import Foundation
package import LocalAPI
internal import Store
package import SyncCore

/// Adds the files that a person names: durably, before any record names them.
package struct FileIntake: Sendable {
    let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// The added files, in the order in which they were named.
    package struct Taken: Sendable {
        package var photos: [ImportedFile] = []
        package var track: ImportedTrack?

        package init(photos: [ImportedFile] = [], track: ImportedTrack? = nil) {
            (self.photos, self.track) = (photos, track)
        }
    }

    /// Throws ``APIError`` for files that cannot be added, and errors of the disk.
    package func add(
        photos: [String], track: String?, into space: ReadableSpace
    ) async throws -> Taken {
        guard photos.count <= Limits.filesAtOnce else {
            throw APIError(
                code: .tooLarge,
                sentence: "Those are too many files at once: \(Limits.filesAtOnce) fit.",
                hint: "Add the rest afterwards: peersync memory edit MEMORY --add-photo FILE…")
        }
        // Checks all files first, so that a typing error in the last one does not cost an hour.
        for path in photos + [track].compactMap(\.self) {
            try FileIntake.check(path)
            try FileIntake.requireContents(of: path)
        }
        do {
            let added = try await replica.importFiles(photos, track: track, into: space.id)
            return Taken(photos: added.photos, track: added.track)
        } catch StoreError.epochMissing {
            throw KeyErrors(replica).keyMissing(in: space)
        }
    }

    /// Throws for an empty regular file: a copy that failed, never a photo or track.
    private static func requireContents(of path: String) throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard attributes[.type] as? FileAttributeType == .typeRegular,
            attributes[.size] as? Int == 0
        else { return }
        throw APIError(
            code: .badInput,
            sentence: "The file \(ShownText.line(path)) is empty: nothing was added.",
            hint: "Copy it again from the camera or a backup, or leave it out.")
    }

    /// Throws unless the path names a file that this user may read.
    package static func check(_ path: String) throws(APIError) {
        guard path.hasPrefix("/") else { throw APIError.relativePath(ShownText.line(path)) }
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw APIError.noSuchFile(ShownText.line(path))
        }
        guard !isFolder.boolValue else { throw APIError.isFolder(ShownText.line(path)) }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw APIError.unreadableFile(ShownText.line(path))
        }
    }
}

extension Replica {
    /// Writes a blob to a file that a person named, even one that another space holds: the person at this
    /// device may read everything here. Throws ``APIError``: `notHere` while its bytes, or its key, are
    /// only on other devices.
    package func export(
        _ blob: BlobID, called name: String, of space: SpaceID, suggestedName: String,
        to path: String
    ) async throws -> ExportedFile {
        guard path.hasPrefix("/") else { throw APIError.relativePath(ShownText.line(path)) }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw APIError.noSuchFolder(ShownText.line(folder))
        }
        var isHere = try isHere(blob)
        if !isHere { isHere = try await findAgain(blob) }
        guard isHere else {
            let wasHere = try store.files.isGone(blob, in: space)
            throw wasHere ? originalLost(name) : APIError.originalNotHere(name)
        }
        do {
            return try await exportFile(blob, suggestedName: suggestedName, to: path)
        } catch is FileClosed {
            throw KeyErrors(self).fileClosed(name, in: space)
        } catch is FileLost {
            throw originalLost(name)
        }
    }

    /// Whether a blob's bytes are here, verified.
    package func isHere(_ blob: BlobID) throws -> Bool {
        try store.files.blob(blob)?.isPresent ?? false
    }
}

private func originalLost(_ name: String) -> APIError {
    APIError(
        code: .notHere,
        sentence: """
            The original of \(Sentence.plain(name)) was here, and is damaged or gone on this disk.
            """,
        hint: "It is fetched again as soon as a device that has it is in reach: peersync sync")
}
