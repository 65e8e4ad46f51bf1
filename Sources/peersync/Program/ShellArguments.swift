internal import Device
internal import Foundation
internal import Glibc

/// The arguments of a command as the shell passed them.
///
/// A file whose name is not UTF-8 is passed on under a name that people can read, and that keeps its bytes:
/// that of a link in a private folder, for as long as the command takes.
package struct ShellArguments {
    package private(set) var text: [String] = []
    /// Nil until there is a link: most commands need none, and the first use of a URL takes a millisecond.
    private var folder: String?
    private var links = 0

    /// `folder`, by default a new one for temporary files, is created with the first link, and removed by
    /// ``removeLinks()``.
    package init(_ arguments: [[UInt8]], folder: String? = nil) {
        self.folder = folder
        for bytes in arguments {
            let sound = String(validating: bytes, as: UTF8.self)
            text.append(sound ?? linked(bytes) ?? String(decoding: bytes, as: UTF8.self))
        }
    }

    package func removeLinks() {
        guard links > 0, let folder else { return }
        // The linked files stay; the system clears a folder left in its temporary directory.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The argument, or its value after `--option=`, with a link in place of the file that it
    /// names; nil if it names none.
    private mutating func linked(_ bytes: [UInt8]) -> String? {
        let equals =
            bytes.starts(with: Array("--".utf8)) ? bytes.firstIndex(of: UInt8(ascii: "=")) : nil
        let start = equals.map { $0 + 1 } ?? 0
        guard let option = String(validating: bytes[..<start], as: UTF8.self) else { return nil }
        let path = Array(bytes[start...])
        let isAbsolute = path.first == UInt8(ascii: "/")
        let base = isAbsolute ? [] : Array((FileManager.default.currentDirectoryPath + "/").utf8)
        let target = (base + path).map { CChar(bitPattern: $0) } + [0]
        guard unsafe access(target, F_OK) == 0 else { return nil }
        let name = path.split(separator: UInt8(ascii: "/")).last.map { LinkName.of($0) } ?? "_"
        links += 1
        let folder = folder ?? NSTemporaryDirectory() + "peersync-names-\(UUID().uuidString)"
        self.folder = folder
        // Two files may get the same readable name.
        let place = "\(folder)/\(links)"
        do {
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            return nil
        }
        guard unsafe symlink(target, "\(place)/\(name)") == 0 else { return nil }
        return "\(option)\(place)/\(name)"
    }

    /// Without the name of the program.
    static var ofThisProcess: [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            unsafe CommandLine.unsafeArgv[index].map { argument in
                unsafe Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
            }
        }
    }
}
