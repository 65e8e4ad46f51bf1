import Archive
import Glibc
import LocalAPI
import Media
import Records
import Store

/// What went wrong with a backup, as a sentence.
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
        case .notFound, .system(_, ENOENT), .system(_, ENOTDIR): Sentence.Backup.noSuchFolder(path)
        case .notABackup: Sentence.Backup.notABackup(path)
        case .newer: Sentence.Backup.newer(path)
        case .busy: Sentence.Backup.busy(path)
        case .noSuchBackup: Sentence.Backup.notOne(path)
        case .damaged(let file): Sentence.Backup.damaged(ShownText.line(file), in: path)
        case .noKeys: Sentence.Backup.noKeys
        case .notEmpty: Sentence.Backup.notEmpty(path)
        case .stopped: .stopped
        case .system(_, ENOSPC), .system(_, EDQUOT): Sentence.Backup.diskFull(path)
        case .system(_, EACCES), .system(_, EPERM), .system(_, EROFS):
            Sentence.Backup.notWritable(path)
        case .system(let call, let code):
            .diskRefused(path, reason: BlobFilesError.reason(call, code))
        }
    }
}
