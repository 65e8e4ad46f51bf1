package import SyncCore
internal import Synchronization

/// Which files other devices asked this one for and have not been sent in full.
package final class OutgoingFiles: Sendable {
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

    /// By device: bytes of files that it was sent and does not hold yet, as far as it has said.
    private let sent = Mutex<[DeviceID: [BlobID: UInt64]]>([:])

    func sent(_ bytes: Int, of blob: BlobID, to device: DeviceID) {
        sent.withLock { $0[device, default: [:]][blob, default: 0] += UInt64(bytes) }
    }

    /// Bytes that each of these devices was sent of files it says it lacks; all others are forgotten.
    package func partlySent(of lacking: [DeviceID: [[BlobID]]]) -> [DeviceID: UInt64] {
        sent.withLock { sent in
            for (device, files) in sent {
                let lacking = Set((lacking[device] ?? []).joined())
                let left = files.filter { lacking.contains($0.key) }
                sent[device] = left.isEmpty ? nil : left
            }
            return sent.mapValues { $0.values.reduce(0, +) }
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
