internal import LocalAPI

/// The texts that tags and the bucket list share.
enum ListText {
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
