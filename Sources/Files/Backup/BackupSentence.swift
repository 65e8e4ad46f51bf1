import Archive
import Glibc
import LocalAPI
import Media
import Records
import Store

/// Turns errors of backups into sentences for people.
package enum BackupSentence {
    package static func sayingWhat<Value>(
        _ path: String, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch BackupError.stopped, BlobFilesError.stopped {
            throw CancellationError()
        } catch StoreCopy.Failure.diskFull {
            throw Sentence.Backup.diskFull(ShownText.line(path))
        } catch StoreCopy.Failure.failed(let why) {
            throw APIError.diskRefused(ShownText.line(path), reason: ShownText.line(why))
        } catch let error as BackupError {
            throw of(error, ShownText.line(path))
        }
    }

    private static func of(_ error: BackupError, _ path: String) -> APIError {
        switch error {
        case .notFound, .system(_, ENOENT), .system(_, ENOTDIR):
            APIError(
                code: .badInput, sentence: "There is no folder \(Sentence.plain(path)).",
                hint: "Is the disk there? Check the name; names with spaces need quotes.")
        case .notABackup:
            APIError(
                code: .badInput,
                sentence: "There are no backups of peersync in \(Sentence.plain(path)).",
                hint: "Give the folder that 'peersync backup' was given.")
        case .newer:
            APIError(
                code: .badInput,
                sentence:
                    "The backups in \(Sentence.plain(path)) were written by a newer peersync.",
                hint: "Install the newer version.")
        case .busy:
            APIError(
                code: .busy,
                sentence: "Another program is writing a backup to \(Sentence.plain(path)).",
                hint: "Try again when it is done.")
        case .noSuchBackup:
            APIError(
                code: .badInput, sentence: "Which backup in \(Sentence.plain(path)) is meant?",
                hint: "See them with 'peersync backup list', and name one: --backup NAME")
        case .damaged(let file): Sentence.Backup.damaged(ShownText.line(file), in: path)
        case .noKeys:
            APIError(
                code: .badInput, sentence: "This backup was made without the keys of its device.",
                hint: "Give the file device.key that you copied to another place: --key-file FILE")
        case .notEmpty: Sentence.Backup.notEmpty(path)
        case .stopped: .stopped
        case .system(_, ENOSPC), .system(_, EDQUOT): Sentence.Backup.diskFull(path)
        case .system(_, EACCES), .system(_, EPERM), .system(_, EROFS):
            APIError(
                code: .failed, sentence: "\(Sentence.plain(path)) may not be written or read.",
                hint: "Check its permissions, and whether the disk can be written to.")
        case .system(let call, let code):
            .diskRefused(path, reason: BlobFilesError.reason(call, code))
        }
    }
}
