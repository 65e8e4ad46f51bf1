internal import Foundation
internal import Glibc

/// The hidden folder beside a home in which the home is restored. A restore locks it for as long as it
/// lives: a part without a lock is what a killed restore left.
final class RestoredPart {
    private static let label = "restore-"

    private let destination: AtomicDestination
    private let descriptor: Int32
    var path: String { destination.part }

    /// Removes what killed restores left beside the home first. Throws `BackupError.notEmpty`, `system`.
    init(_ home: String) throws(BackupError) {
        do throws(ArchiveError) {
            destination = try AtomicDestination(home, label: RestoredPart.label)
        } catch {
            throw BackupError(error)
        }
        let parent = destination.folder
        // Another restore must not find this part before it has its lock.
        _ = flock(parent, LOCK_EX)
        defer { _ = flock(parent, LOCK_UN) }
        RestoredPart.removeRemains(in: parent, at: destination.parentPath)
        guard unsafe mkdirat(parent, destination.partName, 0o700) == 0 else {
            throw .system(call: "mkdir", code: errno)
        }
        descriptor = RestoredPart.open(destination.partName, in: parent)
        guard descriptor >= 0 else { throw .system(call: "open", code: errno) }
        // Without a lock, on a disk that has none, later restores leave it where it is.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Gives the part the name of the home. Throws `BackupError.notEmpty`, `system`.
    func finish() throws(BackupError) {
        do throws(ArchiveError) {
            try AtomicDestination.synchronize(descriptor)
            try destination.finish()
        } catch {
            throw BackupError(error)
        }
    }

    private static func open(_ name: String, in parent: Int32) -> Int32 {
        unsafe openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }

    private static func removeRemains(in parent: Int32, at path: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        where AtomicDestination.isPart(name, label: label) {
            let part = open(name, in: parent)
            guard part >= 0 else { continue }
            defer { close(part) }
            var status = stat()
            guard unsafe fstat(part, &status) == 0, status.st_uid == geteuid(),
                flock(part, LOCK_EX | LOCK_NB) == 0
            else { continue }
            // One that cannot be removed is hidden, and its name says what it is.
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
    }
}
