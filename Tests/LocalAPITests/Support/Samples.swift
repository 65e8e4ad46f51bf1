import LocalAPI

/// Values that are hard to encode; ``SampleMaker`` makes those of whole types.
enum Samples {
    /// A name that breaks code which splits or decodes paths carelessly.
    static let hardName = "a/b ?&#%2F..\u{301} \"ü🍝\"+"
    static let moment = Moment(milliseconds: 1_224_685_680_000, offsetMinutes: 120)
    static let position = Position(
        latitude: -33.9, longitude: 151.2, radius: 12.5, altitude: 3.25)

    /// Of each kind at least one.
    static let fieldValues: [FieldValue] = [
        .null, .text(" \u{65}\u{301} \u{E9} 🍝\u{0}\n"), .text(""), .integer(.max), .integer(.min),
        .decimal("-0003.900"), .boolean(true), .time(moment), .position(position),
        .json("{\"a\": 1.10, \"a\": null}"),
        .blob(BlobReference(id: "ab", bytes: 5_000_000_000, here: false, path: "/a b")),
        .reference(RecordReference(id: "r1", shortID: "r", name: "\"x\"", state: .pending)),
        .set([.text("b"), .integer(1), .set([])]), .unknown("00ff"),
        .typed(TypedText("3,90", folder: "/home/ann", zone: "Europe/Rome")),
    ]
}
