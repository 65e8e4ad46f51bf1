internal import LocalAPI

/// The origin of a record from an archive, on one line.
enum OriginText {
    static func of(_ origin: OriginView) -> String {
        [Sentence.plain(origin.author), origin.written.map { Formatting.timeWithZone($0) } ?? ""]
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
