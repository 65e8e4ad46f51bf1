import Foundation
import LocalAPI
import Media
import SyncCore

/// Takes in the files that a person names for one memory: durably, before any record names them.
struct FileIntake: Sendable {
    let media: MediaLibrary

    /// What was taken in, in the order it was named.
    struct Taken: Sendable {
        var photos: [MediaLibrary.AddedFile] = []
        var track: MediaLibrary.AddedTrack?
    }

    func take(photos: [String], track: String?) async throws -> Taken {
        guard photos.count <= Limits.filesAtOnce else {
            throw APIError.tooManyFiles(limit: Limits.filesAtOnce)
        }
        // All are looked at first, so that a typing error in the last does not cost an hour.
        for path in photos + [track].compactMap(\.self) { try FileIntake.check(path) }
        var taken = Taken()
        if let track { taken.track = try await take(track: track) }
        taken.photos = try await take(photos)
        return taken
    }

    /// A few at a time: each has a process decode it.
    private func take(_ paths: [String]) async throws -> [MediaLibrary.AddedFile] {
        try await withThrowingTaskGroup(of: (Int, MediaLibrary.AddedFile).self) { group in
            var added: [Int: MediaLibrary.AddedFile] = [:]
            for (index, path) in paths.enumerated() {
                if index >= Limits.importsAtOnce, let (done, file) = try await group.next() {
                    added[done] = file
                }
                group.addTask { (index, try await take(photo: path)) }
            }
            while let (done, file) = try await group.next() { added[done] = file }
            return paths.indices.compactMap { added[$0] }
        }
    }

    // Whoever answers the request turns failures into sentences, and has to see what they are: after
    // some, nothing more may be written.
    private func take(photo path: String) async throws -> MediaLibrary.AddedFile {
        do {
            return try await media.add(path: path)
        } catch let error as BlobFilesError {
            throw MediaLibrary.Failure.files(path: path, error)
        }
    }

    private func take(track path: String) async throws -> MediaLibrary.AddedTrack {
        do {
            return try await media.add(track: path)
        } catch let error as BlobFilesError {
            throw MediaLibrary.Failure.files(path: path, error)
        }
    }

    static func check(_ path: String) throws(APIError) {
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

extension APIError {
    /// Why a file was not taken in or given out, as a sentence.
    init(_ failure: MediaLibrary.Failure) {
        switch failure {
        case .missing(let path): self = .noSuchFile(ShownText.line(path))
        case .notATrack(let path, .unreadable): self = .unreadableFile(ShownText.line(path))
        case .notATrack(let path, let error):
            self = .notATrack(ShownText.line(path), reason: Sentence.trackFault(TrackFault(error)))
        case .files(let path, let error): self.init(error, path: path)
        case .notHere(let blob): self = .originalNotHere(String(blob.description.prefix(8)))
        }
    }

    init(_ error: BlobFilesError, path: String) {
        let path = ShownText.line(path)
        switch error {
        case .diskFull: self = .diskFull
        case .notRegularFile: self = .isFolder(path)
        case .sourceChanged: self = .changedFile(path)
        case .tooLong: self = .tooLargeFile(path, limit: Limits.blobBytes)
        case .notFound, .incomplete, .corrupt: self = .originalNotHere(path)
        case .alreadyExists(let name): self = .fileExists(ShownText.line(name))
        case .system(_, let number) where number == EACCES || number == EPERM:
            self = .unreadableFile(path)
        case .system(_, let number) where number == ENOENT: self = .noSuchFile(path)
        case .system(let call, let number):
            self = .diskRefused(path, reason: BlobFilesError.reason(call, number))
        case .syncFailed(let number):
            self = .storeBroken(BlobFilesError.reason("fsync", number))
        case .noSuchChunk, .wrongChunk: self = .unexpected(error)
        }
    }
}

extension TrackFault {
    init(_ error: TrackError) {
        switch error {
        case .unreadable: self = .unreadable
        case .tooLong, .tooDeep, .tooManyPoints, .tooMuchText: self = .tooLarge
        case .documentType, .unsupportedEncoding: self = .unsupported
        case .malformed(let line): self = .malformed(line: line)
        case .notGPX: self = .notGPX
        case .badPosition(let line): self = .badPosition(line: line)
        case .noPoints: self = .noPoints
        }
    }
}
