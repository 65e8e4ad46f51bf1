internal import LocalAPI

/// What an archive said of something, on one line.
enum OriginText {
    static func of(_ origin: OriginView) -> String {
        Sentence.Archive.origin(
            origin, time: origin.written.map { Formatting.timeWithZone($0) } ?? "")
    }
}
