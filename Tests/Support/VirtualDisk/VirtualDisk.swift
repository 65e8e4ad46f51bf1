internal import CVirtualDisk

/// A disk in memory that a real store opens on: its power can be cut, it can be full, fail, be copied
/// and be put back to an earlier state.
///
/// `SyncStore(holding: disk.place(), …)` opens the store of the disk, as often as one likes. What
/// was written is visible at once; it is durable only after the sync that SQLite asks for. Nothing
/// here depends on a clock or on other randomness than what is handed in: the same calls on disks of
/// the same seed leave the same bytes, but for the salts that SQLite draws for its WAL.
///
/// Each disk has its own lock, so that disks may be used at the same time on several threads.
@safe package final class VirtualDisk: Sendable {
    // The C side locks its mutex in every call, and the pointer never changes.
    nonisolated(unsafe) let disk: OpaquePointer

    /// An empty disk. The seed decides how files made on it are told apart from others: give the
    /// disks of one run different seeds.
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

    /// Where a store on this disk lies.
    package func place(machine: String = "virtual") -> VirtualPlace {
        VirtualPlace(disk: self, machineID: machine)
    }

    /// The name of the store's file.
    package static let store = "store.sqlite"

    /// Changes the bytes of a file behind the back of everybody, while no process has files open. A file
    /// of which nothing is left goes.
    package func spoil(_ name: String, _ change: (inout [UInt8]) -> Void) {
        let size = Int(unsafe peersync_disk_file_size(disk, name))
        guard size > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: size)
        _ = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe peersync_disk_read_file(disk, name, 0, $0.baseAddress, $0.count)
        }
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

    /// Lets `succeeding` further calls of a kind succeed; at the next one the power goes, in the middle
    /// of a transaction as a rule: nothing is answered any more. What survived is decided, and the
    /// disk answers again, by ``powerCut(random:)``.
    package func losePower(after succeeding: Int, of call: Call) {
        unsafe peersync_disk_set_power_loss(disk, call.number, UInt64(succeeding))
    }

    /// Ends the process that has the stores open, by SIGKILL for example: nothing is lost, but what
    /// was not synced stays so until the next sync or power cut. Open stores answer with errors.
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

    /// What becomes of a snapshot's files.
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

    // MARK: Trouble

    /// The canary of a left-out fsync: with false, syncs are answered and nothing becomes durable
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

    /// What SQLite asks of a disk.
    package enum Call: UInt32, CaseIterable, Sendable {
        case open, read, write, sync, truncate, delete
        /// Getting memory that the connections of a store share.
        case map
        /// Writing a small file beside the store.
        case aside

        fileprivate var number: peersync_disk_call { peersync_disk_call(rawValue) }
    }

    /// Lets `succeeding` further calls of a kind succeed; the `count` calls after them fail (nil: all),
    /// then it is over. A failed write may have been done in part; what a failed sync did not write
    /// is visible, and no later sync writes it, as on Linux. Replaces what was asked for the kind.
    package func fail(after succeeding: Int, of call: Call, count: Int? = 1) {
        unsafe peersync_disk_set_failure(
            disk, call.number, UInt64(succeeding), count.map { UInt64($0) } ?? .max)
    }

    /// Ends every failing that was asked for and has not come or not ended yet.
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
