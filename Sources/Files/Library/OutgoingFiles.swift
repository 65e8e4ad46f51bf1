package import SyncCore
internal import Synchronization

/// Files that other devices have requested and not yet received in full.
package final class OutgoingFiles: Sendable {
    /// By connection; a peer requests several pieces of one file, and has fewer than
    /// ``Limits/wantsWaiting`` requests open.
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

    /// Bytes sent of files that a device does not hold yet, as far as it has told; by device.
    private let sent = Mutex<[DeviceID: [BlobID: UInt64]]>([:])

    func sent(_ bytes: Int, of blob: BlobID, to device: DeviceID) {
        sent.withLock { $0[device, default: [:]][blob, default: 0] += UInt64(bytes) }
    }

    /// Bytes sent to each of these devices of files that it says it lacks; forgets all others.
    package func partlySent(of lacking: [DeviceID: Set<BlobID>]) -> [DeviceID: UInt64] {
        sent.withLock { sent in
            for (device, files) in sent {
                let left = files.filter { lacking[device]?.contains($0.key) ?? false }
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
