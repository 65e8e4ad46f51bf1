import Archive
import Glibc
package import LocalAPI
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
            throw diskFull(ShownText.line(path))
        } catch StoreCopy.Failure.failed(let why) {
            throw APIError.diskRefused(ShownText.line(path), reason: ShownText.line(why))
        } catch let error as BackupError {
            throw of(error, ShownText.line(path))
        }
    }

    private static func of(_ error: BackupError, _ path: String) -> APIError {
        switch error {
        case .notAFolder, .system(_, ENOTDIR): notAFolder(path)
        case .noFolderAround(let around): noFolder(around: ShownText.line(around), path)
        case .system("mkdir", ENOENT): noFolderPossible(path)
        case .notFound, .system(_, ENOENT):
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
        case .damaged(let file): damaged(ShownText.line(file), path)
        case .noKeys:
            APIError(
                code: .badInput, sentence: "This backup was made without the keys of its device.",
                hint: "Give the file device.key that you copied to another place: --key-file FILE")
        case .notEmpty: notEmpty(path)
        case .stopped: .stopped
        case .system(_, ENOSPC), .system(_, EDQUOT): diskFull(path)
        case .system(_, EACCES), .system(_, EPERM), .system(_, EROFS):
            APIError(
                code: .failed, sentence: "\(Sentence.plain(path)) may not be written or read.",
                hint: "Check its permissions, and whether the disk can be written to.")
        case .system(let call, let code):
            .diskRefused(path, reason: BlobFilesError.reason(call, code))
        }
    }

    private static func damaged(_ file: String, _ path: String) -> APIError {
        APIError(
            code: .failed,
            sentence: """
                This backup in \(Sentence.plain(path)) is damaged: \(Sentence.plain(file)).
                """,
            hint: "Nothing was changed. Use an older one: peersync backup list, then --backup NAME")
    }

    private static func notAFolder(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(Sentence.plain(path)) is no folder.",
            hint: "Name a folder, best on another disk: peersync backup /media/usb")
    }

    private static func noFolder(around: String, _ path: String) -> APIError {
        APIError(
            code: .badInput,
            sentence: """
                There is no folder \(Sentence.plain(around)), so \(Sentence.plain(path)) cannot be made.
                """,
            hint: "Is the disk there? Check the name; names with spaces need quotes.")
    }

    /// The folder around it is there: a file system like /proc takes no new ones.
    private static func noFolderPossible(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "No folder can be made at \(Sentence.plain(path)).",
            hint: "Name a folder elsewhere, best on another disk.")
    }

    package static func badRetention(_ text: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(Sentence.name(text)) does not say which backups to keep.",
            hint: "For example 7d,4w,12m: the latest of each of 7 days, 4 weeks and 12 months.")
    }

    package static func notEmpty(_ path: String) -> APIError {
        APIError(
            code: .conflict, sentence: "There is something in \(Sentence.plain(path)) already.",
            hint: """
                Nothing was changed. Move it away first, or restore to another folder: peersync restore FOLDER \
                --home NEW-FOLDER
                """)
    }

    private static func diskFull(_ path: String) -> APIError {
        APIError(
            code: .failed, sentence: "The disk of \(Sentence.plain(path)) is full.",
            hint: "Make room there, or use another disk, and do it again.")
    }
}
