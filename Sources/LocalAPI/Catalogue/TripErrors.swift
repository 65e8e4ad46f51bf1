/// Errors about trips, memories and files.
extension APIError {
    /// The role does not permit it; `action` as in "delete memories".
    package static func roleForbids(action: String, trip: String, role: Role) -> APIError {
        APIError(
            code: .notAllowed,
            sentence: "As \(role.rawValue) of \(Sentence.name(trip)) you may not \(action).",
            hint:
                """
                An admin of the trip can change that: peersync trip members \
                \(Sentence.quoted(trip))
                """
        )
    }

    package static func viewerWithoutWord(person: String) -> APIError {
        APIError(
            code: .badInput, sentence: "Authority is about writing, and a viewer writes nothing.",
            hint: "Give \(Sentence.plain(person)) another role: --role contributor --authority")
    }

    package static func noAuthorityToGive(trip: String) -> APIError {
        APIError(
            code: .notAllowed,
            sentence: "You may not say whose values win in \(Sentence.name(trip)).",
            hint: """
                Its founder can, and an admin with authority: peersync trip members \
                \(Sentence.quoted(trip))
                """)
    }

    package static func notAcceptedYet(trip: String, isTrip: Bool = true) -> APIError {
        APIError(
            code: .conflict, sentence: "You have not accepted \(Sentence.name(trip)) yet.",
            hint: """
                Take it first: \
                peersync \(SpaceNoun(isTrip: isTrip)) accept \(Sentence.quoted(trip))
                """)
    }

    /// `by` is nil for this person.
    package static func spaceDeleted(_ name: String, isTrip: Bool, by: String?) -> APIError {
        let (what, place) = (SpaceNoun(isTrip: isTrip), Sentence.name(name))
        let sentence: Message =
            switch (by.map(Sentence.plain), isTrip) {
            case (nil, true): tr("You deleted the trip \(place).")
            case (nil, false): tr("You deleted the space \(place).")
            case (let who?, true): tr("\(who) deleted the trip \(place).")
            case (let who?, false): tr("\(who) deleted the space \(place).")
            }
        return APIError(
            code: .notFound, sentence: sentence,
            hint: "Bring it back for everybody: peersync \(what) restore \(Sentence.quoted(name))")
    }

    package static func alreadyAnswered(trip: String) -> APIError {
        APIError(
            code: .conflict, sentence: "\(Sentence.name(trip)) does not wait for an answer.",
            hint: "See your trips: peersync trip list")
    }

    package static func lastAdmin(trip: String) -> APIError {
        APIError(
            code: .conflict,
            sentence:
                "You are the only admin of \(Sentence.name(trip)); nobody could grant it any more.",
            hint: """
                Make someone else admin first: \
                peersync trip grant \(Sentence.quoted(trip)) PERSON --role admin
                """)
    }

    package static let emptyTripName = APIError(
        code: .badInput, sentence: "A trip needs a name.",
        hint: "For example: peersync trip create \"Arezzo 2008\"")

    package static let emptyMemory = APIError(
        code: .badInput, sentence: "There is nothing to remember yet.",
        hint: "Give at least a --title, a --text, a --photo or a --track.")

    package static let nothingToChange = APIError(
        code: .badInput, sentence: "There is nothing to change.",
        hint: "Say what, for example --title \"Cortona\"; --help lists what can be changed.")

    package static func noSuchFile(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "There is no file \(path).",
            hint: "Check the name; names with spaces need quotes.")
    }

    package static func isFolder(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(path) is a folder, not a file.",
            hint: "Name the files in it, for example \(path)/*.jpg")
    }

    package static func unreadableFile(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "The file \(path) may not be read.",
            hint: "Check its permissions.")
    }

    package static func emptyFile(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "The file \(path) is empty: nothing was added.",
            hint: "Copy it again from the camera or a backup, or leave it out.")
    }

    package static func notATrack(_ path: String, reason: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(path) is not a GPX track: \(reason).",
            hint: "Export the track as GPX from your device or app.")
    }

    /// `memory` is one that has them already.
    package static func filesKnown(
        _ count: Int, of total: Int, memory: Reference, trip: String
    ) -> APIError {
        let name = memory.name.isEmpty ? tr("a memory") : Sentence.name(memory.name)
        let what =
            switch (count, total) {
            case (1, 1): tr("This file is")
            case (1, _): tr("1 of these \(total) files is")
            case (total, _): tr("These files are")
            default: tr("\(count) of these \(total) files are")
            }
        return APIError(
            code: .confirmationNeeded,
            sentence: "\(what) in \(Sentence.name(trip)) already: \(name) (\(memory.shortID)).",
            hint: "Nothing was added. To add it all the same: --again")
    }

    package static func fileExists(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(path) exists already, and is left as it is.",
            hint: "Choose another name with --to.")
    }

    package static func originalNotHere(_ name: String) -> APIError {
        APIError(
            code: .notHere,
            sentence: "The original of \(Sentence.plain(name)) is not on this device yet.",
            hint: "It comes as soon as a device that has it is in reach: peersync sync")
    }

    package static func originalLost(_ name: String) -> APIError {
        APIError(
            code: .notHere,
            sentence: """
                The original of \(Sentence.plain(name)) was here, and is damaged or gone on this disk.
                """,
            hint: "It is fetched again as soon as a device that has it is in reach: peersync sync")
    }
}
