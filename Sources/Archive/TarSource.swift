package import Encryption
internal import SyncCore

/// The files of a tar file, read without unpacking it.
package struct TarSource: ArchiveSource {
    private let input: any ByteInput
    private let files: [String: Range<UInt64>]
    /// The folder that contains everything, with its slash; empty without one.
    private let top: String

    /// Reads the headers. Throws `ArchiveError.notAnArchive`, `damaged`, `notAFile`, `listedTwice`,
    /// `tooLarge`, and what the input throws.
    package init(_ input: any ByteInput) throws {
        var walk = TarWalk(input)
        var files: [String: Range<UInt64>] = [:]
        while let (name, range) = try walk.next() {
            guard files.updateValue(range, forKey: name) == nil else {
                throw ArchiveError.listedTwice(name)
            }
            guard files.count <= Limits.archiveFiles else { throw ArchiveError.tooLarge(name) }
        }
        (self.input, self.files) = (input, files)
        let lists = files.keys.filter { name in
            name == Checksums.fileName || name.hasSuffix("/" + Checksums.fileName)
        }
        guard let list = lists.min(by: { $0.utf8.count < $1.utf8.count }) else {
            throw ArchiveError.notAnArchive
        }
        top = String(list.dropLast(Checksums.fileName.count))
    }

    package func open(_ name: String) throws(ArchiveError) -> (any ByteInput)? {
        files[top + name].map { InputSlice(input: input, range: $0) }
    }
}

/// Walks through the entries of a tar file.
private struct TarWalk {
    private let input: any ByteInput
    private var position: UInt64 = 0

    init(_ input: any ByteInput) {
        self.input = input
    }

    /// The next file; nil at the end.
    mutating func next() throws -> (name: String, range: Range<UInt64>)? {
        var name: String?
        var size: UInt64?
        while true {
            guard let header = try header() else { return nil }
            let length = header.kind == .file ? size ?? header.size : header.size
            guard length <= input.length, position + length <= input.length else {
                throw ArchiveError.damaged
            }
            let range = position..<(position + length)
            position += TarHeader.padded(length)
            switch header.kind {
            case .extended:
                let records = try TarHeader.records(try read(range))
                name = records["path"] ?? name
                size = try records["size"].map { text in
                    guard let size = UInt64(text) else { throw ArchiveError.damaged }
                    return size
                }
            case .longName:
                let bytes = try read(range).prefix { $0 != 0 }
                name = String(decoding: bytes, as: UTF8.self)
            case .global: continue
            case .folder: (name, size) = (nil, nil)
            case .file:
                let name = name ?? header.name
                // `tar c .` writes names of this form.
                return (name.hasPrefix("./") ? String(name.dropFirst(2)) : name, range)
            case .other: throw ArchiveError.notAFile(name ?? header.name)
            }
        }
    }

    private mutating func header() throws -> TarHeader? {
        // A tar file that does not end with blocks of zeros was cut off.
        let end = position + UInt64(TarHeader.blockBytes)
        guard end <= input.length else {
            throw position == 0 ? ArchiveError.notAnArchive : ArchiveError.damaged
        }
        do throws(ArchiveError) {
            let header = try TarHeader(parsing: try bytes(position..<end))
            position = end
            return header
        } catch .notAnArchive where position > 0 {
            throw ArchiveError.damaged
        }
    }

    private func bytes(_ range: Range<UInt64>) throws(ArchiveError) -> [UInt8] {
        do {
            return try input.read(range)
        } catch let error as ArchiveError {
            throw error
        } catch {
            throw .damaged
        }
    }

    private func read(_ range: Range<UInt64>) throws -> [UInt8] {
        guard range.count <= Limits.tarExtendedBytes else { throw ArchiveError.damaged }
        let bytes = try input.read(range)
        guard bytes.count == range.count else { throw ArchiveError.damaged }
        return bytes
    }
}
