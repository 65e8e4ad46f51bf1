extension Sentence {
    /// Words about encrypted trips.
    package enum Encryption {
        /// About files that a recovery left out.
        package static func notRecovered(_ left: LeftFiles) -> String {
            tr(
                left.count,
                """
                Without \(files(left)) from before the encryption, as not on this device. \
                Do the same on a device that has it.
                """,
                """
                Without \(files(left)) from before the encryption, as not on this device. \
                Do the same on a device that has them.
                """)
        }

        package static func files(_ left: LeftFiles) -> String {
            "\(count(left.count, "file", "files")) (\(names(left)))"
        }

        /// Names of the first few.
        package static func names(_ files: LeftFiles) -> String {
            let shown = files.names.prefix(3).map { plain($0) }.joined(separator: ", ")
            return files.count > 3 ? shown + ", …" : shown
        }

        /// After a revocation; `isNewKey` says whether a new key was made with it.
        package static func revoked(isNewKey: Bool) -> String {
            isNewKey
                ? tr(
                    """
                    There is a new key that they do not have: it protects what is written from now on, not \
                    what they could read until now.
                    """)
                : tr(
                    """
                    Nothing is written there before an admin's device has made a new key. That protects what is \
                    written from then on, not what they could read until now.
                    """)
        }
    }
}
