internal import CVirtualDisk

/// A disk in memory for a real store: its power can be cut, it can be full, fail, be copied and be
/// restored to an earlier state.
///
/// `SyncStore(holding: disk.place(), …)` opens the store of the disk, as often as needed. Writes
/// are visible at once; they are durable only after SQLite's sync. Nothing here depends on a clock
/// or on other randomness than the arguments: the same calls on disks with the same seed leave the
/// same bytes, except for the random salts of SQLite's WAL.
///
/// Each disk has its own lock, so that disks may be used at the same time on several threads.
@safe package final class VirtualDisk: Sendable {
    // The C side locks its mutex in every call, and the pointer never changes.
    nonisolated(unsafe) let disk: OpaquePointer

    /// An empty disk. The seed determines the identities of its files: give the disks of one run
    /// different seeds.
    package init(seed: UInt64) {
        unsafe disk = peersync_disk_new(seed)
    }

    /// A disk with the files of a snapshot, copied: a store on it starts a new incarnation.
    package convenience init(copying snapshot: Snapshot, seed: UInt64) {
        self.init(seed: seed)
        restore(snapshot, as: .copies)
    }

    deinit {
        unsafe peersync_disk_free(disk)
    }

    /// The place of a store on this disk.
    package func place(machine: String = "virtual") -> VirtualPlace {
        VirtualPlace(disk: self, machineID: machine)
    }

    /// The name of the store's file.
    package static let store = "store.sqlite"

    /// The bytes of a file; none where it is not there.
    package func contents(of name: String) -> [UInt8] {
        let size = Int(unsafe peersync_disk_file_size(disk, name))
        var bytes = [UInt8](repeating: 0, count: size)
        _ = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe peersync_disk_read_file(disk, name, 0, $0.baseAddress, $0.count)
        }
        return bytes
    }

    /// Changes the bytes of a file from outside, while no process has files open. A file that
    /// becomes empty is removed; one that is not there stays away.
    package func spoil(_ name: String, _ change: (inout [UInt8]) -> Void) {
        var bytes = contents(of: name)
        guard !bytes.isEmpty else { return }
        change(&bytes)
        if bytes.isEmpty {
            unsafe peersync_disk_remove_file(disk, name)
        } else {
            _ = unsafe peersync_disk_replace_file(disk, name, bytes, bytes.count)
        }
    }

    // MARK: How a run ends

    /// Cuts the power. Of every write, truncation and directory change that was not synced a part
    /// survives, as drawn: all, none, or single sectors of 512 bytes. The stores that are open
    /// answer with errors from then on and may be dropped at any time; open a new one.
    package func powerCut(random: inout some RandomNumberGenerator) {
        unsafe peersync_disk_cut_power(disk, random.next())
    }

    /// Lets `succeeding` further calls of a kind succeed; at the next one the power fails, usually
    /// in the middle of a transaction: no call is answered any more. ``powerCut(random:)`` decides
    /// what survived, and the disk answers again.
    package func losePower(after succeeding: Int, of call: Call) {
        unsafe peersync_disk_set_power_loss(disk, call.number, UInt64(succeeding))
    }

    /// Ends the process that has the stores open, as by SIGKILL: nothing is lost, but unsynced data
    /// stays so until the next sync or power cut. Open stores answer with errors.
    package func endProcess() {
        unsafe peersync_disk_end_process(disk)
    }

    // MARK: Copies

    /// All files of a disk at one moment, synced or not; cheap and immutable, for any thread.
    @safe package final class Snapshot: Sendable {
        nonisolated(unsafe) fileprivate let image: OpaquePointer

        fileprivate init(_ image: OpaquePointer) {
            unsafe self.image = unsafe image
        }

        deinit {
            unsafe peersync_disk_image_free(image)
        }
    }

    /// How a snapshot's files are restored.
    package enum Restoring: Sendable {
        /// New files with the old content, as when a backup is copied back: the store notices, and
        /// opens in a new incarnation.
        case copies
        /// The very files, rolled back in place, as a virtual machine's snapshot does it: the store
        /// cannot notice, and writes the same sequences a second time.
        case sameFiles
    }

    /// Copies all files. For a template close the store first, so that everything is in one file.
    package func snapshot() -> Snapshot {
        unsafe Snapshot(peersync_disk_copy(disk))
    }

    /// Replaces all files by those of a snapshot, which are durable then. Open stores answer with
    /// errors.
    package func restore(_ snapshot: Snapshot, as restoring: Restoring) {
        unsafe peersync_disk_restore(disk, snapshot.image, restoring == .copies)
    }

    /// Replaces files that are there by those of a snapshot, from outside, and leaves what lies beside them.
    package func putBack(_ names: [String], of snapshot: Snapshot) {
        let before = VirtualDisk(copying: snapshot, seed: 1)
        for name in names { spoil(name) { $0 = before.contents(of: name) } }
    }

    // MARK: Failures

    /// The canary of a missing fsync: with false, syncs are answered and nothing becomes durable
    /// any more.
    package func setHonoursSync(_ honours: Bool) {
        unsafe peersync_disk_set_honours_sync(disk, honours)
    }

    /// The bytes that files and SQLite's shared memory may have together; nil: no limit. Writing
    /// beyond is answered as on a full disk; see ``usedBytes``.
    package func setCapacity(bytes: UInt64?) {
        unsafe peersync_disk_set_capacity(disk, bytes ?? .max)
    }

    /// The bytes that files and SQLite's shared memory have now.
    package var usedBytes: UInt64 { unsafe peersync_disk_used(disk) }

    /// SQLite's calls to a disk.
    package enum Call: UInt32, CaseIterable, Sendable {
        case open, read, write, sync, truncate, delete
        /// Getting memory that the connections of a store share.
        case map
        /// Writing a small file beside the store.
        case aside

        fileprivate var number: peersync_disk_call { peersync_disk_call(rawValue) }
    }

    /// Lets `succeeding` further calls of a kind succeed; the `count` calls after them fail (nil:
    /// all), then it is over. A failed write may be done in part; data of a failed sync is visible,
    /// and no later sync writes it, as on Linux. Replaces an earlier request for the kind.
    package func fail(after succeeding: Int, of call: Call, count: Int? = 1) {
        unsafe peersync_disk_set_failure(
            disk, call.number, UInt64(succeeding), count.map { UInt64($0) } ?? .max)
    }

    /// Cancels all requested failures that have not ended yet.
    package func mend() {
        for call in Call.allCases {
            unsafe peersync_disk_set_failure(disk, call.number, 0, 0)
        }
    }

    /// Calls of one kind since the disk was made, failed ones too.
    package func count(of call: Call) -> Int {
        Int(unsafe peersync_disk_calls(disk, call.number))
    }
}
