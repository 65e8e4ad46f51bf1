import Device
import LocalAPI
import Media
import Store
import SyncCore

/// The disk has room for new changes and files.
package struct DiskCheck: HealthCheck {
    let check = HealthReport.Check.disk

    func run(_ examination: Examination) async throws -> [Problem] {
        guard let bytes = BlobFiles.freeBytes(at: examination.home.directory) else {
            throw APIError.homeOfAnotherUser(examination.home.directory)
        }
        let free = Int64(clamping: bytes)
        let database = examination.database
        let missing: Int64 = try await Examination.blocking {
            do {
                return try database.missingBytes()
            } catch StoreError.corrupt {
                // The database check reports this.
                return 0
            }
        }
        return [DiskCheck.judge(free: free, missing: missing)]
    }

    package static func judge(free: Int64, missing: Int64) -> Problem {
        if free < Limits.diskAlmostFullBytes {
            return Problem(.disk, .error, littleRoom(free))
        }
        if missing > free {
            let words = Words(
                """
                \(Sentence.size(missing)) are still to be fetched, and \(Sentence.size(free)) are \
                free.
                """,
                "Make room, or leave trips that you need not have here.")
            return Problem(.disk, .warning, words)
        }
        if free < Limits.diskLowBytes {
            return Problem(.disk, .warning, littleRoom(free))
        }
        return Problem(.disk, .ok, Words("\(Sentence.size(free)) are free on the disk."))
    }

    private static func littleRoom(_ free: Int64) -> Words {
        Words("Only \(Sentence.size(free)) are free on the disk.", "Make room.")
    }
}

extension Limits {
    /// With less room than this, the next photos may not fit.
    package static let diskLowBytes: Int64 = 1 << 30
    /// With less room than this, the database itself soon stops: its write-ahead log grows to about
    /// 8 MiB, and a first sync writes more at once.
    package static let diskAlmostFullBytes: Int64 = 64 << 20
}
