import Device
import Foundation
package import LocalAPI
package import Media
package import Node
import Records
import SyncCore

extension APIError {
    /// Says why a file was not added or exported.
    init(_ failure: MediaLibrary.Failure) {
        switch failure {
        case .missing(let path): self = .noSuchFile(ShownText.line(path))
        case .notATrack(let path, .unreadable): self = .unreadableFile(ShownText.line(path))
        case .notATrack(let path, let error):
            self = APIError(
                code: .badInput,
                sentence: "\(ShownText.line(path)) is not a GPX track: \(error.words).",
                hint: "Export the track as GPX from your device or app.")
        case .files(let path, let error): self.init(error, path: path)
        case .target(let folder, .system(let call, let number)):
            self = .notWritten(in: ShownText.line(folder), call, number)
        case .target(let folder, let error): self.init(error, path: folder)
        case .notHere(let blob): self = .originalNotHere(String(blob.description.prefix(8)))
        case .closed(let blob):
            self = SpaceErrors.fileClosed(String(blob.description.prefix(8)), givers: nil)
        }
    }

    /// A folder took no new file. One that the kernel makes up, like /proc, says that the file does not exist.
    private static func notWritten(in folder: String, _ call: String, _ number: Int32) -> APIError {
        guard number != EIO else {
            return .diskRefused(folder, reason: BlobFilesError.reason(call, number))
        }
        return APIError(
            code: .badInput,
            sentence: number == ENOENT
                ? "No new file can be written to the folder \(folder)."
                : "No new file can be written to the folder \(folder): \(Sentence.System.reason(number)).",
            hint: "Give a folder in which you may write: --to FOLDER")
    }

    init(_ error: BlobFilesError, path: String) {
        let path = ShownText.line(path)
        switch error {
        case .diskFull: self = .noRoomForFile
        case .notRegularFile:
            self = APIError(
                code: .badInput, sentence: "\(path) is not an ordinary file.",
                hint: "Devices, pipes and sockets cannot be added.")
        case .sourceChanged:
            self = APIError(
                code: .conflict, sentence: "\(path) was changed while it was read.",
                hint: "Try again once nothing writes to it any more.")
        case .tooLong:
            self = APIError(
                code: .tooLarge,
                sentence:
                    "\(path) is too large: \(Sentence.size(Int64(clamping: Limits.blobBytes))) fit."
            )
        case .notFound, .incomplete, .corrupt: self = .originalNotHere(path)
        case .alreadyExists(let name): self = .fileExists(ShownText.line(name))
        // Not the path that was asked for.
        case .noAccess: self = error.sentence
        case .system(_, let number) where number == EACCES || number == EPERM:
            self = .unreadableFile(path)
        case .system(_, let number) where number == ENOENT: self = .noSuchFile(path)
        case .system(let call, let number):
            self = .diskRefused(path, reason: BlobFilesError.reason(call, number))
        case .syncFailed(let number):
            self = .storeBroken(BlobFilesError.reason("fsync", number))
        case .stopped: self = .stopped
        case .noSuchChunk, .wrongChunk: self = .unexpected(error)
        }
    }
}

extension APIError {
    static func fileExists(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(path) exists already, and is left as it is.",
            hint: "Choose another name with --to.")
    }
}

extension BlobFilesError: DescribedError {
    /// Without a path to name.
    package var sentence: APIError {
        switch self {
        case .diskFull: .diskFull
        case .syncFailed(let number): .storeBroken(BlobFilesError.reason("fsync", number))
        case .noAccess(let path): .noAccess(ShownText.line(path))
        case .system(let call, let number): .fileFailed(BlobFilesError.reason(call, number))
        default: .unexpected(self)
        }
    }

    package var logged: String {
        switch self {
        case .notRegularFile: "notRegularFile"
        case .sourceChanged: "sourceChanged"
        case .tooLong: "tooLong"
        case .alreadyExists: "alreadyExists"
        case .noAccess: "noAccess"
        default: "\(self)"
        }
    }

    package var storageFailure: StorageState.Failure {
        switch self {
        case .syncFailed: .broken(sentence)
        case .diskFull: .full
        default: .other
        }
    }
}

extension MediaLibrary.Failure: DescribedError {
    package var sentence: APIError { APIError(self) }

    package var logged: String {
        switch self {
        case .files(_, let error), .target(_, let error): error.logged
        case .missing: "missing"
        case .notATrack(_, let error): "not a track: \(error)"
        case .notHere, .closed: "\(self)"
        }
    }

    package var storageFailure: StorageState.Failure {
        // A folder that a person names says nothing of the disk that the store is on.
        if case .files(_, let error) = self { error.storageFailure } else { .other }
    }
}

extension TrackError {
    /// Goes after "is not a GPX track:".
    fileprivate var words: String {
        switch self {
        case .unreadable: tr("it cannot be read")
        case .tooLong, .tooDeep, .tooManyPoints, .tooMuchText:
            tr("it is larger than any real track")
        case .documentType, .unsupportedEncoding: tr("it is written in a way that tracks are not")
        case .notGPX: tr("it is some other kind of file")
        case .noPoints: tr("it has no track points")
        case .malformed(let line): tr("it is broken at line \(line)")
        case .badPosition(let line): tr("line \(line) has a place that is not on Earth")
        }
    }
}

extension APIError {
    /// Text may still have room.
    static var noRoomForFile: APIError {
        APIError(
            code: diskFull.code, sentence: diskFull.message,
            hint: """
                Make room, then try again. Files leave \
                \(Sentence.size(Int64(Limits.spareDiskBytes))) free, so that there is always room for text.
                """)
    }

    static func diskRefused(_ path: String, reason: String) -> APIError {
        APIError(
            code: .failed,
            sentence: "The disk did not take or give \(path): \(reason). Nothing was changed.",
            hint: "Check the disk, then try again.")
    }
}
