import Archive
import Glibc
import LocalAPI
import Media
import Records

/// Turns errors of archives into sentences for people.
enum ArchiveSentence {
    /// `hasKey` says that identities were given to open the archive with.
    static func sayingWhat<Value>(
        _ path: String, hasKey: Bool = false, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch ArchiveError.stopped, BlobFilesError.stopped {
            throw CancellationError()
        } catch let error as ArchiveError {
            throw of(error, ShownText.line(path), hasKey: hasKey)
        }
    }

    private static func of(_ error: ArchiveError, _ path: String, hasKey: Bool) -> APIError {
        switch error {
        case .notFound:
            APIError(
                code: .badInput, sentence: "There is no archive \(Sentence.plain(path)).",
                hint: "Check the name; names with spaces need quotes.")
        case .notAnArchive: notAnArchive(path)
        case .locked: lockedArchive(path, hasKey: hasKey)
        case .alreadyExists: nameTaken(path)
        case .system(_, ENOSPC), .system(_, EDQUOT): ArchiveSentence.archiveNoRoom(path)
        case .system(_, EACCES), .system(_, EPERM), .system(_, EROFS): .unreadableFile(path)
        case .system("mkdir", ENOENT):
            // The folder around it is there: a file system like /proc takes no new ones.
            APIError(
                code: .badInput, sentence: "No folder can be made at \(Sentence.plain(path)).",
                hint: "Choose another folder with --to.")
        case .system(_, ENOENT), .system(_, ENOTDIR): .noSuchFile(path)
        case .system(let call, let code):
            .diskRefused(path, reason: BlobFilesError.reason(call, code))
        case .stopped: .stopped
        case .damaged: badArchive(path, tr("It is cut off or was changed."))
        case .unsafeName: badArchive(path, tr("It names a file outside of itself."))
        case .notAFile(let name): badArchive(path, tr("\(shown(name)) in it is no file."))
        case .listedTwice(let name): badArchive(path, tr("\(shown(name)) is in it twice."))
        case .missing(let name): badArchive(path, tr("\(shown(name)) is missing."))
        case .changed(let name): badArchive(path, tr("\(shown(name)) was changed."))
        case .unlisted(let name):
            badArchive(path, tr("\(shown(name)) is not in its list SHA256SUMS."))
        case .tooLarge(let name), .unreadable(let name):
            badArchive(path, tr("\(shown(name)) is too large."))
        }
    }

    /// The name of a file in an archive.
    private static func shown(_ name: String) -> String { Sentence.name(ShownText.line(name)) }
}

/// `hasKey`: some identities were given, and none fits.
private func lockedArchive(_ path: String, hasKey: Bool) -> APIError {
    let name = Sentence.plain(path)
    return APIError(
        code: .badInput,
        sentence: hasKey
            ? "The archive \(name) is encrypted to somebody else than this key."
            : "The archive \(name) is encrypted.",
        hint: "Give the file with the key that it was encrypted to: --identity FILE")
}

private func notAnArchive(_ path: String) -> APIError {
    APIError(
        code: .badInput, sentence: "\(Sentence.plain(path)) is no archive of peersync.",
        hint: "Give the folder with SHA256SUMS in it, or the file that ends with .tar.age.")
}

private func badArchive(_ path: String, _ fault: String) -> APIError {
    APIError(
        code: .badInput,
        sentence: "The archive \(Sentence.plain(path)) cannot be used. \(fault)",
        hint: "Nothing was imported. Take another copy of the archive, or archive it again.")
}

extension ArchiveSentence {
    /// The folder that is named is an archive itself: nothing is put into it.
    static func archiveThere(_ path: String) -> APIError {
        APIError(
            code: .conflict, sentence: "\(Sentence.plain(path)) is an archive already.",
            hint: "It stays as it is. Choose another name with --to, or the folder around it.")
    }

    static func nameTaken(_ path: String) -> APIError {
        APIError(
            code: .conflict, sentence: "\(Sentence.plain(path)) exists already.",
            hint: "It stays as it is. Choose another name with --to.")
    }

    static func archiveNoRoom(_ path: String) -> APIError {
        APIError(
            code: .failed, sentence: "There is not enough room for \(Sentence.plain(path)).",
            hint: "Nothing was written. Make room on that disk, or name a place on another: --to")
    }
}
