import FoundationEssentials
import LocalAPI

extension FuzzTarget {
    /// The body of a request to the local API: a letter that says of which kind, then JSON.
    static let localRequest = FuzzTarget(
        "local-request", longestInput: 2048,
        words: [
            "\"trip\":", "\"title\":", "\"at\":", "\"milliseconds\":", "\"offsetMinutes\":",
            "\"position\":", "\"latitude\":", "\"longitude\":", "\"seen\":", "\"clear\":",
            "\"tags\":", "\"codeOrLink\":", "\"mine\":", "\"role\":", "null", "true", "1e400",
            "\\ud800", "-0.0",
        ]
    ) { input in
        guard let kind = input.first else { return }
        let body = Data(input.dropFirst())
        switch kind {
        case UInt8(ascii: "a"): try check(AddressDraft.self, body)
        case UInt8(ascii: "b"): try check(BucketItemDraft.self, body)
        case UInt8(ascii: "c"): try check(MemoryChanges.self, body)
        case UInt8(ascii: "d"): try check(PairingDecision.self, body)
        case UInt8(ascii: "e"): try check(ExportTarget.self, body)
        case UInt8(ascii: "g"): try check(GrantDraft.self, body)
        case UInt8(ascii: "j"): try check(JoinRequest.self, body)
        case UInt8(ascii: "m"): try check(MemoryDraft.self, body)
        case UInt8(ascii: "n"): try check(TripDraft.self, body)
        case UInt8(ascii: "p"): try check(PairingRequest.self, body)
        case UInt8(ascii: "r"): try check(TripRename.self, body)
        case UInt8(ascii: "s"): try check(SyncSetting.self, body)
        case UInt8(ascii: "t"): try check(TagDraft.self, body)
        default: return
        }
    }

    private static func check<Body: Codable & Equatable>(_: Body.Type, _ json: Data) throws {
        guard let body = try? JSONCoding.decode(Body.self, from: json) else { return }
        let encoded = try JSONCoding.encode(body)
        let again = try JSONCoding.decode(Body.self, from: encoded)
        try require(again == body, "a request comes back as it was sent")
        try require(try JSONCoding.encode(again) == encoded, "a request has one encoding")
    }
}
