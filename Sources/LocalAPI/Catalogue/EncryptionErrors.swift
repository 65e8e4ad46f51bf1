/// Errors about encrypted trips.
extension APIError {
    package static func alreadyEncrypted(trip: String, isTrip: Bool = true) -> APIError {
        let what = SpaceNoun(isTrip: isTrip)
        return APIError(
            code: .conflict, sentence: "\(Sentence.name(trip)) is encrypted already.",
            hint: "Give it a new key: peersync \(what) key rotate \(Sentence.quoted(trip))")
    }

    /// `reason` ended it after so many of its files.
    package static func filesNotEncrypted(
        _ count: Int, trip: String, isTrip: Bool = true, because reason: APIError
    ) -> APIError {
        let what = SpaceNoun(isTrip: isTrip)
        let done = count > 0 ? tr(" after \(Sentence.count(count, "file", "files"))") : ""
        return APIError(
            code: reason.code,
            sentence: """
                \(Sentence.name(trip)) is encrypted, but encrypting the files from before ended\(done). \
                \(reason.message)
                """,
            hint: Message(
                verbatim: [
                    reason.hint,
                    tr("Then go on: peersync \(what) encrypt \(Sentence.quoted(trip))"),
                ]
                .compactMap(\.self).joined(separator: " ")))
    }

    package static func notEncrypted(trip: String, isTrip: Bool = true) -> APIError {
        let what = SpaceNoun(isTrip: isTrip)
        return APIError(
            code: .conflict, sentence: "\(Sentence.name(trip)) is not encrypted.",
            hint: "Encrypt it from now on: peersync \(what) encrypt \(Sentence.quoted(trip))")
    }

    /// A person who may no longer read knows all keys that are here, or there is none here.
    package static func keyMissing(trip: String, hasKeys: Bool, admins: [String]) -> APIError {
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
            hint: """
                Try again once a device of \(someone(admins) ?? tr("an admin", context: "of")) was connected: it makes a new \
                key.
                """)
    }

    /// `givers` can give the key, where it does not come by itself.
    package static func fileClosed(_ name: String, givers: [String]?) -> APIError {
        let hint: Message? = givers.map { givers in
            tr(
                "You read what came after you. Who can give you the rest: \(someone(givers) ?? tr("an admin"))."
            )
        }
        return APIError(
            code: .notHere,
            sentence: "The key of \(Sentence.plain(name)) is not on this device.",
            hint: hint
                ?? "It comes when this device next connects with a member's that has it: peersync sync"
        )
    }

    /// `closed` of so many files cannot be read here, and `missing` are not here.
    package static func filesClosed(
        _ closed: LeftFiles, missing: Int, of total: Int, trip: String
    ) -> APIError {
        let rest =
            missing > 0
            ? tr(
                missing, " \(missing) is not here at all.", " \(missing) are not here at all.") : ""
        let files = Sentence.count(total, "file", "files")
        let (name, names) = (Sentence.name(trip), Sentence.Encryption.names(closed))
        return APIError(
            code: .notHere,
            sentence: Message(
                verbatim: tr(
                    closed.count,
                    """
                    \(closed.count) of the \(files) of \(name) is encrypted with keys that are not on \
                    this device: \(names).\(rest)
                    """,
                    """
                    \(closed.count) of the \(files) of \(name) are encrypted with keys that are not on \
                    this device: \(names).\(rest)
                    """)),
            hint:
                "Fetch what devices in reach have: peersync sync. To archive it without: --incomplete"
        )
    }

    private static func someone(_ names: [String]) -> String? {
        names.isEmpty ? nil : names.map { Sentence.plain($0) }.joined(separator: tr(" or "))
    }
}
