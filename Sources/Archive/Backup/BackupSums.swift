internal import SyncCore

/// The hashes of one backup, in the format of `sha256sum`: of its own files, and, by relative path, of the
/// files that all backups of a place share.
struct BackupSums {
    static let fileName = Checksums.fileName
    static let store = "store.sqlite"
    static let card = "device.card"
    static let key = "device.key"
    private static let ownNames: Set = [store, card, key, BackupManifest.fileName]
    private static let shared = "../../"

    /// Hashes of the backup's own files.
    var own: [String: Bytes32] = [:]
    var files: [BlobID: Bytes32] = [:]

    init() {}

    /// The path of a shared file in the place.
    static func name(of file: BlobID) -> String { "\(folder(of: file))/\(file)" }
    static func folder(of file: BlobID) -> String { "files/\(file.description.prefix(2))" }

    var bytes: [UInt8] {
        let lines =
            own.sorted { $0.key < $1.key }.map { (hash: $0.value, name: $0.key) }
            + files.sorted { $0.key < $1.key }.map {
                (hash: $0.value, name: BackupSums.shared + BackupSums.name(of: $0.key))
            }
        return Array(
            lines.map { "\(hexadecimal($0.hash.bytes))  \($0.name)\n" }.joined().utf8)
    }

    /// Whether it has all lines of a backup with this content: a disk may lose the end of a file.
    func isWhole(for manifest: BackupManifest) -> Bool {
        let needed = BackupSums.ownNames.subtracting(manifest.hasKeys ? [] : [BackupSums.key])
        return needed.isSubset(of: own.keys) && files.count >= manifest.files
    }

    /// Throws `BackupError.damaged`.
    init(parsing bytes: [UInt8]) throws(BackupError) {
        let lines: [(hash: Bytes32, name: String)]
        do throws(ArchiveError) {
            lines = try Checksums.lines(of: bytes)
        } catch {
            throw BackupError(error)
        }
        for (hash, name) in lines {
            if BackupSums.ownNames.contains(name) {
                own[name] = hash
            } else if let digits = name.split(separator: "/").last,
                let file = BlobID(hexadecimal: digits),
                name == BackupSums.shared + BackupSums.name(of: file)
            {
                files[file] = hash
            } else {
                throw .damaged(BackupSums.fileName)
            }
        }
    }
}
