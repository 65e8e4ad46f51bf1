import Archive
import Encryption

extension FuzzTarget {
    /// An archive as a tar file, and its list of hashes.
    static let archive = FuzzTarget(
        "archive", longestInput: 8192,
        words: ["SHA256SUMS", "ustar\u{0}00", "path=", "size=", "../", "  ", " *", "\n"]
    ) { input in
        if let sums = try? Checksums(parsing: input) {
            let again = try Checksums(parsing: sums.bytes)
            try require(again.bytes == sums.bytes, "a list comes back")
            try require(again.entries.count == sums.entries.count, "nothing of a list is lost")
            for (name, _) in sums.entries {
                try require(!name.text.hasPrefix("/"), "names are not absolute")
                try require(
                    !name.text.split(separator: "/").contains(".."), "names do not go up")
            }
        }
        guard let tar = try? TarSource(MemoryInput(input)) else { return }
        guard let list = try tar.open(Checksums.fileName) else {
            throw BrokenProperty(description: "an archive has a list")
        }
        let bytes = try list.read(0..<list.length)
        try require(UInt64(bytes.count) == list.length, "a file is as long as was said")
        try require(bytes.count < input.count, "a file is in what it is in")
    }
}
