package import LocalAPI

/// Errors about trips and spaces that several services say.
package enum SpaceErrors {
    package static func notAcceptedYet(space: String, isTrip: Bool = true) -> APIError {
        APIError(
            code: .conflict, sentence: "You have not accepted \(Sentence.name(space)) yet.",
            hint: """
                Accept it first: \
                peersync \(SpaceNoun(isTrip: isTrip)) accept \(Sentence.quoted(space))
                """)
    }

    package static func alreadyAnswered(space: String, _ noun: SpaceNoun) -> APIError {
        APIError(
            code: .conflict, sentence: "\(Sentence.name(space)) does not wait for an answer.",
            hint: "See what there is: peersync \(noun) list")
    }

    package static func lastAdmin(space: String, _ noun: SpaceNoun) -> APIError {
        APIError(
            code: .conflict,
            sentence:
                "You are the only admin of \(Sentence.name(space)); nobody could grant it any more.",
            hint: """
                Make someone else admin first: \
                peersync \(noun) grant \(Sentence.quoted(space)) PERSON --role admin
                """)
    }

    /// The command that asks for a right.
    static func asking(for right: Right, in space: String, _ noun: SpaceNoun) -> Message {
        tr(
            """
            Ask the admins for it: peersync \(noun) request \(Sentence.quoted(space)) \(right.rawValue)
            """)
    }

    /// The person no longer has a role in the trip.
    package static func roleLost(space: String) -> APIError {
        APIError(
            code: .notAllowed,
            sentence: "You are no longer a member of \(Sentence.name(space)).",
            hint: "An admin can give it to you again.")
    }

    /// The person has a role, but this device was called lost; by another device, or by something else.
    package static func deviceLost(space: String, device: String, isByDevice: Bool) -> APIError {
        APIError(
            code: .notAllowed,
            sentence: """
                This device was called lost, so that it gets nothing more of \(Sentence.name(space)) and \
                changes nothing there.
                """,
            hint: isByDevice
                ? """
                Is it yours and in your hands? Type on another device of yours: peersync device found \
                \(Sentence.quoted(device))
                """
                : "What takes that back: peersync status")
    }

    package static func notFetchedYet(space: String) -> APIError {
        APIError(
            code: .notHere, sentence: "Nothing of \(Sentence.name(space)) has arrived here yet.",
            hint: "It comes as soon as a device that has it is in reach: peersync sync")
    }

    package static func alreadyEncrypted(space: String, isTrip: Bool = true) -> APIError {
        let what = SpaceNoun(isTrip: isTrip)
        return APIError(
            code: .conflict, sentence: "\(Sentence.name(space)) is encrypted already.",
            hint: "Give it a new key: peersync \(what) key rotate \(Sentence.quoted(space))")
    }

    package static func notEncrypted(space: String, isTrip: Bool = true) -> APIError {
        let what = SpaceNoun(isTrip: isTrip)
        return APIError(
            code: .conflict, sentence: "\(Sentence.name(space)) is not encrypted.",
            hint: "Encrypt it from now on: peersync \(what) encrypt \(Sentence.quoted(space))")
    }

    /// A person who may no longer read knows all keys that are here, or there is none here.
    package static func keyMissing(space: String, hasKeys: Bool, admins: [String]) -> APIError {
        guard hasKeys else {
            return APIError(
                code: .conflict,
                sentence: "This device has no key of \(Sentence.name(space)) yet.",
                hint: "It gets one when it next connects with a device of a member: peersync sync")
        }
        return APIError(
            code: .conflict,
            sentence: """
                Somebody who was removed still knows the key of \(Sentence.name(space)), so nothing is \
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
                "You can read what was written since you were let in. The rest can come from: \(someone(givers) ?? tr("an admin"))."
            )
        }
        return APIError(
            code: .notHere,
            sentence: "The key of \(Sentence.plain(name)) is not on this device.",
            hint: hint
                ?? "It comes when this device next connects with a member's that has it: peersync sync"
        )
    }

    private static func someone(_ names: [String]) -> String? {
        names.isEmpty ? nil : names.map { Sentence.plain($0) }.joined(separator: tr(" or "))
    }

    package static func schemaNotFollowed(_ obstacle: Sentence.SchemaObstacle) -> APIError {
        switch obstacle {
        case .newer:
            APIError(
                code: .conflict,
                sentence: "This space follows a schema that was written for a newer peersync.",
                hint: """
                    Everything that comes is kept and passed on. To see and change it here, install \
                    a newer peersync.
                    """)
        case .unreadable:
            APIError(
                code: .conflict, sentence: "The schema that this space follows has mistakes in it.",
                hint: """
                    Everything that comes is kept and passed on. An admin can put it right: \
                    peersync schema change SPACE FILE
                    """)
        case .absent:
            APIError(
                code: .conflict, sentence: "The schema of this space is not here yet.",
                hint: "It comes with the space; sync once: peersync sync")
        }
    }

    /// `from` is nil for another device of this person; `able` are the people with the right to do it.
    package static func mayNotTake(
        from person: String?, space: String, _ noun: SpaceNoun, able: [String]
    ) -> APIError {
        let place = Sentence.name(space)
        let who = person.map(Sentence.plain)
        let sentence: Message =
            who.map {
                tr(
                    """
                    You may not take rights from \($0) in \(place): admins can do so only where the \
                    access came from them, or from somebody they let in.
                    """)
            }
            ?? tr(
                """
                This device may not take rights from that device of yours in \(place): that one was \
                there first.
                """)
        let hint: Message =
            who == nil
            ? tr("Your recovery key can: peersync device lost")
            : able.isEmpty
                ? tr(
                    "Only the founder's recovery key can: peersync \(noun) members \(Sentence.quoted(space))"
                )
                : tr(
                    """
                    \(Sentence.Member.list(able.map(Sentence.plain))) can: \
                    peersync \(noun) revoke \(Sentence.quoted(space)) \(Sentence.quoted(person ?? ""))
                    """)
        return APIError(code: .notAllowed, sentence: sentence, hint: hint)
    }

    /// `by` is nil for this person.
    package static func nothingRequested(by person: String?, space: String) -> APIError {
        let (who, place) = (person.map(Sentence.plain), Sentence.name(space))
        return APIError(
            code: .notFound,
            sentence: who.map { tr("\($0) does not ask for anything in \(place).") }
                ?? "You do not ask for anything in \(place).")
    }
}
