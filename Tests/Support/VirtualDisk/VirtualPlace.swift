internal import CVirtualDisk
package import Store

/// The store of a virtual disk, or a file beside it. Keeps its disk.
///
/// There is no lock: a second store opened beside a living one is another connection, as in SQLite.
package struct VirtualPlace: StorePlace {
    let disk: VirtualDisk
    package let machineID: String
    var file = VirtualDisk.store

    package var path: String {
        let number = unsafe peersync_disk_number(disk.disk)
        return "/peersync-virtual/\(number)/\(file)"
    }

    package func prepare() throws(StoreError) -> Bool {
        let size = unsafe peersync_disk_prepare_file(disk.disk, file)
        guard size >= 0 else { throw .failed("\(path): the virtual disk fails") }
        return size > 0
    }

    package func read(
        _ suffix: String, at offset: UInt64, _ count: Int
    ) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let found = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe peersync_disk_read_file(
                disk.disk, file + suffix, offset, $0.baseAddress, $0.count)
        }
        try done(found != -2)
        return Array(bytes.prefix(Int(max(0, found))))
    }

    package func fingerprint() throws(StoreError) -> String {
        let identity = unsafe peersync_disk_file_identity(disk.disk, file)
        guard identity != 0 else { throw .failed("\(path): no such file") }
        return "virtual/\(identity)"
    }

    /// A disk in memory has no times.
    package func lastChange(_ suffix: String) -> String? { nil }

    package func beside(_ name: String) -> any StorePlace {
        VirtualPlace(disk: disk, machineID: machineID, file: name)
    }

    package func write(_ bytes: [UInt8], at offset: UInt64) throws(StoreError) {
        try done(unsafe peersync_disk_write_file(disk.disk, file, offset, bytes, bytes.count))
    }

    package func replace(with bytes: [UInt8]) throws(StoreError) {
        guard UInt64(bytes.count) <= freeBytes ?? .max else { throw .diskFull }
        try done(unsafe peersync_disk_replace_file(disk.disk, file, bytes, bytes.count))
    }

    package func sync() throws(StoreError) {
        try done(unsafe peersync_disk_sync_file(disk.disk, file))
    }

    package var freeBytes: UInt64? { unsafe peersync_disk_room(disk.disk) }

    package func move(_ suffix: String, to name: String) throws(StoreError) {
        try done(unsafe peersync_disk_rename_file(disk.disk, file + suffix, name))
    }

    package func remove(_ suffix: String) {
        unsafe peersync_disk_remove_file(disk.disk, file + suffix)
    }

    private func done(_ isDone: Bool) throws(StoreError) {
        guard isDone else { throw .failed("\(path): the virtual disk fails") }
    }
}
