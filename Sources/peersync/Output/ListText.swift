internal import LocalAPI

/// The texts that tags and the bucket list share.
package enum ListText {
    /// `trip` as it was typed; nil for the person's own list.
    package static func emptyBucket(of trip: String?) -> String {
        let empty = tr(
            """
            The bucket list is empty. Add something: peersync bucket add "See the northern \
            lights"
            """)
        return trip.map { "\(empty) --trip \(Sentence.quoted($0))" } ?? empty
    }

    static func merged(_ name: String, into other: String) -> String {
        tr("\(Sentence.name(other)) takes the place of what was called \(Sentence.name(name)).")
    }

    static func deleted(_ name: String) -> String {
        tr("Deleted \(Sentence.name(name)) for everybody.")
    }

    static func scope(_ trip: Reference?) -> String {
        trip.map { tr(" of \(Sentence.name($0.name))") } ?? ""
    }
}
