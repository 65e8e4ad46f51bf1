import SyncCore
internal import Synchronization

/// Which files other devices asked this one for and have not been sent in full.
final class OutgoingFiles: Sendable {
    /// By connection; a peer asks for several pieces of one file, and waits for less than
    /// ``Limits/wantsWaiting`` at a time.
    private let asked = Mutex<[BulkID: (device: DeviceID, pieces: [BlobID: Int])]>([:])

    func began(_ blob: BlobID, for device: DeviceID, on bulk: BulkID) {
        asked.withLock { $0[bulk, default: (device, [:])].pieces[blob, default: 0] += 1 }
    }

    func ended(_ blob: BlobID, on bulk: BulkID) {
        asked.withLock { asked in
            guard let count = asked[bulk]?.pieces[blob] else { return }
            asked[bulk]?.pieces[blob] = count > 1 ? count - 1 : nil
        }
    }

    func closed(_ bulk: BulkID) {
        asked.withLock { $0[bulk] = nil }
    }

    var byDevice: [DeviceID: Set<BlobID>] {
        asked.withLock { asked in
            asked.values.reduce(into: [:]) { result, entry in
                guard !entry.pieces.isEmpty else { return }
                result[entry.device, default: []].formUnion(entry.pieces.keys)
            }
        }
    }
}
