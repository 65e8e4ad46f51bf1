package import LocalAPI
package import SyncCore

/// A write's id as views hand it out and edits hand it back: the commit's 64 hexadecimal digits, a
/// colon, the index.
package enum WriteToken {
    package static func text(of write: WriteID) -> String { "\(write.commit):\(write.index)" }

    /// Throws `badInput` for what is no token.
    package static func parse(_ text: String) throws(APIError) -> WriteID {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            let commit = bytes(hexadecimal: parts[0]).flatMap({ CommitID(bytes: $0) }),
            let index = UInt32(parts[1])
        else { throw APIError.badToken }
        return WriteID(commit: commit, index: index)
    }
}
