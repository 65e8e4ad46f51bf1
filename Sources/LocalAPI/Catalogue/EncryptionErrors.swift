/// Errors about encrypted trips.
extension APIError {
    package static func alreadyEncrypted(trip: String) -> APIError {
        APIError(
            code: .conflict, sentence: "\(Sentence.name(trip)) is encrypted already.",
            hint: "Give it a new key: peersync trip key rotate \(Sentence.quoted(trip))")
    }

    package static func notEncrypted(trip: String) -> APIError {
        APIError(
            code: .conflict, sentence: "\(Sentence.name(trip)) is not encrypted.",
            hint: "Encrypt it from now on: peersync trip encrypt \(Sentence.quoted(trip))")
    }

    /// All keys that are here are known to somebody who may not read any more, or none is here at all.
    package static func keyMissing(trip: String, hasKeys: Bool, admins: [String]) -> APIError {
        let who =
            admins.isEmpty
            ? "an admin" : admins.map { Sentence.plain($0) }.joined(separator: " or ")
        guard hasKeys else {
            return APIError(
                code: .conflict,
                sentence: "This device has no key of \(Sentence.name(trip)) yet.",
                hint: "It gets one when it next connects with a device of a member: peersync sync")
        }
        return APIError(
            code: .conflict,
            sentence: """
                Somebody who was removed still knows the key of \(Sentence.name(trip)), so nothing is \
                written under it.
                """,
            hint: "Try again once a device of \(who) was connected: it makes a new key.")
    }

    package static func noKeysHere(trip: String) -> APIError {
        APIError(
            code: .conflict, sentence: "This device has no key of \(Sentence.name(trip)).",
            hint: "It gets one when it next connects with a device of a member: peersync sync")
    }
}
