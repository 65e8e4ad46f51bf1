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
        case .notAnArchive: .notAnArchive(path)
        case .locked: .lockedArchive(path, hasKey: hasKey)
        case .alreadyExists: .fileExists(path)
        case .system(_, ENOSPC), .system(_, EDQUOT): .archiveNoRoom(path)
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
        case .damaged: .badArchive(path, .damaged)
        case .unsafeName: .badArchive(path, .unsafeName)
        case .notAFile(let name): .badArchive(path, .notAFile(ShownText.line(name)))
        case .listedTwice(let name): .badArchive(path, .listedTwice(ShownText.line(name)))
        case .missing(let name): .badArchive(path, .missing(ShownText.line(name)))
        case .changed(let name): .badArchive(path, .changed(ShownText.line(name)))
        case .unlisted(let name): .badArchive(path, .unlisted(ShownText.line(name)))
        case .tooLarge(let name), .unreadable(let name):
            .badArchive(path, .tooLarge(ShownText.line(name)))
        }
    }
}
