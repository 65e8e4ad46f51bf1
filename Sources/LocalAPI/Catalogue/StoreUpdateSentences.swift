extension Sentence {
    /// Words for when the store of an older peersync cannot be updated.
    package enum StoreUpdate {
        /// `needed` and `free` are bytes on the disk of `folder`.
        package static func noRoom(in folder: String, needed: Int64, free: Int64?) -> APIError {
            let found = free.map { tr(", and \(Sentence.size($0)) are") } ?? ""
            return APIError(
                code: APIError.diskFull.code,
                sentence: """
                    An older peersync wrote this home, and the disk has no room to bring it up to date. Nothing \
                    was changed.
                    """,
                hint: """
                    Make room on the disk of \(Sentence.quoted(folder)): \
                    \(Sentence.size(needed)) must be free\(found). A copy of the database takes most of \
                    it, and goes by itself later. Then try again; the older peersync still works here.
                    """)
        }

        /// `former` is the path of the store that the older peersync left.
        package static func failed(_ reason: String, former: String) -> APIError {
            APIError(
                code: .failed, sentence: "The store could not be opened: \(reason).",
                hint: """
                    Check the disk, then try again. The store as it was before the update is kept in \
                    \(Sentence.quoted(former)): an older peersync can go on with it.
                    """)
        }
    }
}
