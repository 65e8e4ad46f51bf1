internal import Glibc
internal import SyncCore

/// The name of a link in place of a file whose name is not UTF-8.
package enum LinkName {
    /// As ``FileNameText`` has it; where that is too long for a file system, without the bytes.
    package static func of(_ file: some Collection<UInt8>) -> String {
        let text = FileNameText.text(of: file)
        return text.utf8.count <= Int(NAME_MAX) ? text : FileNameText.readable(text)
    }
}
