extension Sentence {
    /// What `log` says.
    package enum Changes {
        /// Of a change's id, so many tell it apart.
        package static let idDigits = 8

        package static let none = "Nothing has happened yet."
        package static let noneThen = "Nothing happened in that time."

        package static func nothingNew(since ago: String) -> String {
            """
            Nothing new from others since you last looked (\(ago)). All that happened: \
            peersync log --since all
            """
        }

        package static func earlier(than since: String?, shown: Int) -> String {
            """
            Earlier ones are not shown: peersync log --since \(since.map(quoted) ?? "all") \
            --limit \(shown * 10)
            """
        }

        package static func repeated(_ line: String, _ times: Int) -> String {
            "\(line), \(times) times"
        }

        /// `Anna added the memory “Hut” with 3 photos`.
        package static func line(_ entry: ChangeEntry) -> String {
            let who = entry.isMine ? "You" : plain(entry.author.name)
            return "\(who) \(text(entry.changes))"
        }

        /// `added the memory “Hut” with 3 photos and the tag “food”, changed the text of …`.
        package static func text(_ changes: [ChangeView]) -> String {
            var phrases: [(verb: String, objects: [String])] = []
            for change in changes {
                let (verb, object) = words(change)
                if let place = phrases.firstIndex(where: { $0.verb == verb }) {
                    phrases[place].objects.append(object)
                } else {
                    phrases.append((verb, [object]))
                }
            }
            return phrases.map { "\($0.verb) \(list($0.objects))" }.joined(separator: ", ")
        }

        private static func words(_ change: ChangeView) -> (verb: String, object: String) {
            let who = change.isMe ? "you" : plain(change.person?.name ?? "")
            let role = change.role.map { " as \($0.rawValue)" } ?? ""
            let space = plain(change.noun ?? "space")
            switch change.kind {
            case .added: return ("added", records(change, preposition: "to"))
            case .changed: return ("changed", fields(change) + records(change, preposition: "of"))
            case .decided: return ("decided", fields(change) + records(change, preposition: "of"))
            case .deleted: return ("deleted", records(change, preposition: "of"))
            case .restored: return ("brought back", records(change, preposition: "of"))
            case .createdSpace: return ("created", "the \(space) \(names(change))")
            case .renamedSpace: return ("renamed", "the \(space) to \(names(change))")
            case .deletedSpace: return ("deleted", "the \(space) for everybody")
            case .restoredSpace: return ("brought back", "the \(space)")
            case .changedSchema: return ("changed", "the schema")
            case .encryptedSpace: return ("encrypted", "the \(space)")
            case .exchangedKey: return ("exchanged", "the recovery key")
            case .newKey: return ("gave", "the \(space) a new key")
            case .shared: return ("shared", "the \(space) with \(who)\(role)")
            case .changedRole:
                return ("changed", "what \(who) may do: \(change.role?.rawValue ?? "")")
            case .removed: return ("removed", who)
            case .left: return ("left", "the \(space)")
            case .tookFromDevice: return ("took", "the \(space) from the device \(who)")
            case .addedDevice: return ("added", "the device \(who)")
            case .redatedDevice: return ("redated", "changes of the device \(who)")
            case .recoveredDevice:
                return ("brought back", "the device \(who) with a recovery key")
            case .removedDevice: return ("removed", "the device \(who) with a recovery key")
            case .requested:
                let verbs = change.fields.compactMap { Right(rawValue: $0)?.verb }
                return ("asked", "to \(list(verbs))")
            case .withdrewRequest: return ("took back", "a request")
            case .refusedRequest: return ("refused", "what \(who) asked for")
            case .more: return ("made", count(change.count, "further change", "further changes"))
            }
        }

        /// `the memory “Hut” with 3 photos`, `2 photos to the memory “Hut”`.
        private static func records(_ change: ChangeView, preposition: String) -> String {
            let noun = plain(change.noun ?? "record")
            var text: String
            if change.count == 1 {
                text =
                    change.names.isEmpty
                    ? "\(article(noun)) \(noun)" : "the \(noun) \(names(change))"
            } else {
                text = "\(change.count) \(plural(noun))"
                if !change.names.isEmpty {
                    let rest = change.count > change.names.count ? ", \u{2026}" : ""
                    text += " (\(names(change))\(rest))"
                }
            }
            if !change.parts.isEmpty {
                text +=
                    " with "
                    + list(change.parts.map { count($0.count, plain($0.noun), plural($0.noun)) })
            }
            guard let whole = change.whole else { return text }
            let name = whole.name.isEmpty ? "" : " \(Sentence.name(whole.name))"
            return "\(text) \(preposition) the \(plain(whole.noun))\(name)"
        }

        private static func fields(_ change: ChangeView) -> String {
            guard !change.fields.isEmpty, change.count == 1 else { return "" }
            let names = change.fields.map { fieldNames[$0] ?? plain($0) }
            return "\(list(names)) of "
        }

        /// Fields of the journal whose names are no words for what they hold.
        private static let fieldNames = ["at": "time", "location name": "place"]

        private static func names(_ change: ChangeView) -> String {
            change.names.map(Sentence.name).joined(separator: ", ")
        }

        /// `one, two and three`.
        private static func list(_ parts: [String]) -> String {
            guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
            return parts.dropLast().joined(separator: ", ") + " and " + last
        }

        private static func article(_ noun: String) -> String {
            noun.first.map { "aeiou".contains($0.lowercased()) } ?? false ? "an" : "a"
        }

        /// Of the name of a collection, which may be any word: by the rules of English spelling.
        private static func plural(_ noun: String) -> String {
            let noun = plain(noun)
            let vowels = ["ay", "ey", "oy", "uy"]
            if noun.hasSuffix("y"), !vowels.contains(where: noun.hasSuffix) {
                return noun.dropLast() + "ies"
            }
            return noun + (["s", "x", "ch", "sh"].contains(where: noun.hasSuffix) ? "es" : "s")
        }
    }
}
