internal import CVirtualDisk
package import Store

/// The store of a virtual disk. Keeps its disk.
///
/// There is no lock: who opens a second store beside a living one has two, as SQLite has
/// connections.
package struct VirtualPlace: StorePlace {
    private static let file = "store.sqlite"

    let disk: VirtualDisk
    package let machineID: String

    package var path: String {
        let number = unsafe peersync_disk_number(disk.disk)
        return "/peersync-virtual/\(number)/\(VirtualPlace.file)"
    }

    package func prepare() throws(StoreError) -> Bool {
        let size = unsafe peersync_disk_prepare_file(disk.disk, VirtualPlace.file)
        guard size >= 0 else { throw .failed("\(path): the virtual disk fails") }
        return size > 0
    }

    package func read(
        _ suffix: String, at offset: UInt64, _ count: Int
    ) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let found = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe peersync_disk_read_file(
                disk.disk, VirtualPlace.file + suffix, offset, $0.baseAddress, $0.count)
        }
        guard found >= 0 || !suffix.isEmpty else {
            throw .failed("\(path): the virtual disk fails")
        }
        return Array(bytes.prefix(Int(max(0, found))))
    }

    package func fingerprint() throws(StoreError) -> String {
        let identity = unsafe peersync_disk_file_identity(disk.disk, VirtualPlace.file)
        guard identity != 0 else { throw .failed("\(path): no such file") }
        return "virtual/\(identity)"
    }
}
