import Agent
import LocalAPI
import Records
import SyncCore
import TestDevices

/// What becomes of a file that is not everywhere.
extension StatusTableTests {
    static let files = [
        Side(
            "the only copy is lost", ann, with: [ben], [.error, .synced, .error], [.lostFiles],
            why: [[.lost], [.lost]]
        ) {
            $0.spaces[0].files.missing = missing
            $0.spaces[0].sync = sync([ben], lacking: [ben])
        },
        Side(
            "the only copy was freed here", ann, with: [ben], [.error, .synced, .error],
            [.lostFiles], why: [[.lost], [.lost]]
        ) {
            $0.spaces[0].files.missing = missing
            $0.spaces[0].files.freed = [photo: Milliseconds(1)]
            $0.spaces[0].sync = sync([ben], lacking: [ben])
        },
        Side(
            "a file is gone from this disk", ben, with: [ann], [.error, .synced, .error],
            [.goneFiles], why: [[.other, .soon], []]
        ) {
            $0.spaces[0].files.missing = missing
            $0.spaces[0].files.gone = [photo]
        },
        Side(
            "a file failed three times", ben, with: [ann], [.error, .synced, .error],
            [.givenUpFiles], why: [[.failed], []]
        ) {
            $0.spaces[0].files.missing = missing
            $0.spaces[0].sync = sync([ann]) { $0.failed = [photo] }
        },
        Side(
            "a file failed three times, as its folder may not be used", ben, with: [ann],
            [.error, .synced, .error], [.storageFault], why: [[.other], []]
        ) {
            $0.here.storageFault = .closedFiles(folder: "/home/ben/blobs")
            $0.spaces[0].files.missing = missing
            $0.spaces[0].sync = sync([ann]) { $0.failed = [photo] }
        },
        Side(
            "both disks are nearly full, and nothing waits", ann, with: [ben],
            [.synced, .synced, .synced], [.diskFull]
        ) {
            $0.devices[0].isDiskFull = true
            $0.here.isDiskFull = true
            $0.here.disk = DiskFacts(folder: "/home/ann", freeBytes: 4 << 20, spareBytes: 32 << 20)
        },
        Side(
            "a file comes", ben, with: [ann], [.syncing, .synced, .syncing], [],
            why: [[.moving], []]
        ) {
            $0.spaces[0].files.missing = missing
            $0.spaces[0].sync = sync([ann]) { $0.coming = [photo] }
        },
        Side(
            "a file goes", ann, with: [ben], [.syncing, .syncing, .syncing], [],
            why: [[], [.soon]]
        ) { $0.spaces[0].sync = sync([ben], lacking: [ben]) },
        Side(
            "the device with the file does not answer", ben, with: [ann, cleo],
            [.pending, .offline, .pending], [.silent], why: [[.noSource], []]
        ) {
            $0.devices[0].link = .connected(silence: 9_000)
            $0.spaces[0].files.missing = missing
            $0.spaces[0].sync = sync([ann, cleo], lacking: [cleo]).without(silent: [ann])
        },
        Side(
            "who has the file is away", ben, with: [ann, cleo], [.pending, .pending, .pending],
            [], why: [[.noSource], [.noSource]]
        ) {
            $0.devices[1].link = .away
            $0.spaces[0].files.missing = missing
            $0.spaces[0].sync = sync([ann, cleo], lacking: [ann]) { $0.connected = [ann] }
        },
    ]
}
