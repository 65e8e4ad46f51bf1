import Archive
import Media
import Records
import SyncCore

/// Names for the files of a space in its archive: as people know them, harmless on every file system, and
/// unique even where case is ignored.
struct ArchiveFileNames {
    private(set) var names: [BlobID: String] = [:]
    private var taken: Set<String> = []

    /// Names only the files that are here.
    init(_ files: [SpaceArchive.File]) {
        for file in files where file.isHere {
            names[file.blob] = name(file)
        }
    }

    private mutating func name(_ file: SpaceArchive.File) -> String {
        let safe = ExportName(suggested: file.title, id: file.blob).value
        if file.kind != .thumbnail { return unused("files", safe) }
        // Thumbnails are JPEG files, no matter what their originals are.
        let isPicture = safe.lowercased().hasSuffix(".jpg")
        return unused("thumbnails", isPicture ? safe : safe + ".jpg")
    }

    private mutating func unused(_ folder: String, _ name: String) -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        var candidate = "\(folder)/\(name)"
        var number = 1
        while !taken.insert(candidate.lowercased()).inserted {
            number += 1
            candidate = "\(folder)/\(name[..<dot])-\(number)\(name[dot...])"
        }
        return candidate
    }
}
