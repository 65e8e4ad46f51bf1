extension Sentence {
    /// The words of `log`.
    package enum Changes {
        /// `Anna added the memory “Hut” with 3 photos`.
        package static func line(_ entry: ChangeEntry) -> String {
            line(entry.isMine ? tr("You") : plain(entry.author.name), entry.changes)
        }

        package static func line(_ who: String, _ changes: [ChangeView]) -> String {
            tr("\(who) \(text(changes))", context: "who, what they did")
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
            return phrases.map { tr("\($0.verb) \(list($0.objects))", context: "verb, objects") }
                .joined(separator: ", ")
        }

        private static func words(_ change: ChangeView) -> (verb: String, object: String) {
            let who = plain(change.person?.name ?? "")
            let role = change.role.map { tr(" as \($0.rawValue)") } ?? ""
            let space = space(change.noun)
            return switch change.kind {
            case .added: (tr("added"), records(change))
            case .changed: (tr("changed"), written(change))
            case .decided: (tr("decided"), written(change))
            case .deleted: (tr("deleted"), records(change))
            case .restored: (tr("brought back"), records(change))
            case .movedTo, .movedFrom: (tr("moved", context: "to a trip"), moved(change))
            case .createdSpace:
                (tr("created"), tr("\(space) \(names(change))", context: "object"))
            case .renamedSpace:
                (tr("renamed"), tr("\(space) to \(names(change))", context: "renamed"))
            case .deletedSpace: (tr("deleted"), tr("\(space) for everybody"))
            case .restoredSpace: (tr("brought back"), space)
            case .closedSpace: (tr("closed", context: "the trip"), space)
            case .reopenedSpace: (tr("reopened", context: "the trip"), space)
            case .changedSchema: (tr("changed"), tr("the schema"))
            case .encryptedSpace: (tr("encrypted"), space)
            case .exchangedKey: (tr("exchanged"), tr("the recovery key"))
            case .newKey: (tr("gave"), tr("\(space) a new key"))
            case .sharedUnread: (tr("entrusted"), carried(space, by: change.isMe ? nil : who))
            case .shared where change.isMe: (tr("shared"), tr("\(space) with you\(role)"))
            case .shared: (tr("shared"), tr("\(space) with \(who)\(role)"))
            case .changedRole: (tr("changed"), rights(change, who))
            case .removed:
                (tr("removed"), change.isMe ? tr("you", context: "removed") : who)
            case .joined: (tr("joined"), tr("\(names(change))", context: "joined"))
            case .declined: (tr("declined"), tr("the invitation to \(names(change))"))
            case .carries: (tr("agreed"), tr("to carry \(names(change)) unread"))
            case .left: (tr("left"), space)
            case .tookFromDevice: (tr("took"), tr("\(space) from the device \(who)"))
            case .returnedToDevice: (tr("gave back"), tr("\(space) to the device \(who)"))
            case .addedDevice: (tr("added"), tr("the device \(who)"))
            case .redatedDevice: (tr("redated"), tr("changes of the device \(who)"))
            case .recoveredDevice:
                (tr("brought back"), tr("the device \(who) with a recovery key"))
            case .removedDevice: (tr("removed"), tr("the device \(who) with a recovery key"))
            case .requested: (tr("asked"), asked(change))
            case .withdrewRequest: (tr("took back"), tr("a request"))
            case .refusedRequest: (tr("refused"), request(change, who))
            case .more:
                (tr("made"), count(change.count, "further change", "further changes"))
            }
        }

        private static func space(_ noun: String?) -> String {
            switch noun {
            case "trip": tr("the trip", context: "object")
            case "lists": tr("your own lists", context: "object")
            default: tr("the space", context: "object")
            }
        }

        private static func moved(_ change: ChangeView) -> String {
            let (records, place) = (recordsAlone(change), Sentence.name(change.whole?.name ?? ""))
            return change.kind == .movedTo
                ? tr("\(records) to \(place)", context: "moved")
                : tr("\(records) here from \(place)", context: "moved")
        }

        private static func carried(_ space: String, by person: String?) -> String {
            person.map { tr("\(space) to \($0) to carry unread") }
                ?? tr("\(space) to you to carry unread")
        }

        private static func rights(_ change: ChangeView, _ who: String) -> String {
            let new = change.role?.rawValue ?? ""
            return change.isMe ? tr("what you may do: \(new)") : tr("what \(who) may do: \(new)")
        }

        private static func asked(_ change: ChangeView) -> String {
            tr("to \(list(change.fields.compactMap { Right(rawValue: $0)?.verb }))")
        }

        private static func request(_ change: ChangeView, _ who: String) -> String {
            change.isMe ? tr("what you asked for") : tr("what \(who) asked for")
        }

        /// `the memory “Hut” with 3 photos`, `2 photos to the memory “Hut”`.
        private static func records(_ change: ChangeView, withParts: Bool = true) -> String {
            let text = recordsAlone(change, withParts: withParts)
            guard let whole = change.whole else { return text }
            let name = whole.name.isEmpty ? "" : " \(Sentence.name(whole.name))"
            let owner = self.noun(whole.noun)
            return change.kind == .added
                ? tr("\(text) to the \(owner)\(name)") : tr("\(text) of the \(owner)\(name)")
        }

        private static func recordsAlone(_ change: ChangeView, withParts: Bool = true) -> String {
            let plainNoun = change.noun ?? "record"
            let noun = noun(plainNoun)
            var text: String
            if change.count == 1 {
                text =
                    if !change.names.isEmpty {
                        tr("the \(noun) \(names(change))")
                    } else if plainNoun == "trip" {
                        // A space has only one.
                        tr("the trip", context: "object")
                    } else {
                        tr("\(article(noun)) \(noun)", context: "article, noun")
                    }
            } else {
                text = counted(change.count, plainNoun)
                if !change.names.isEmpty {
                    let rest = change.count > change.names.count ? ", \u{2026}" : ""
                    text += " (\(names(change))\(rest))"
                }
            }
            if withParts, !change.parts.isEmpty {
                text += tr(" with \(parts(change))", context: "added together")
            }
            return text
        }

        /// `3 photos and 1 track`.
        private static func parts(_ change: ChangeView) -> String {
            list(change.parts.map { counted($0.count, $0.noun) })
        }

        /// `title and text of the memory “Hut”`.
        private static func written(_ change: ChangeView) -> String {
            guard !change.fields.isEmpty, change.count == 1 else { return records(change) }
            let (fields, records) = (
                list(change.fields.map(field)), records(change, withParts: false)
            )
            let what =
                change.parts.isEmpty
                ? tr("\(fields) of \(records)", context: "fields, record")
                : tr(
                    "\(fields) of \(records) with \(parts(change))",
                    context: "fields, record, parts")
            return change.otherShown == true ? what + tr(" (another value is shown)") : what
        }

        /// The name of a field before a value, as in `active: yes`.
        package static func label(_ name: String) -> String {
            name == "active" ? tr("active", context: "field, with its values") : field(name)
        }

        /// Fields of the journal in words; those of other schemas are called as they are there.
        package static func field(_ name: String) -> String {
            switch name.replacing("_", with: " ") {
            case "active": tr("active", context: "field")
            case "at": tr("time", context: "field")
            case "bucket item", "memory": noun(name)
            case "caption": tr("caption", context: "field")
            case "category": tr("category", context: "field")
            case "done": tr("done", context: "field")
            case "location name": tr("place", context: "field")
            case "name": tr("name", context: "field")
            case "original": tr("original", context: "field")
            case "position": tr("position", context: "field")
            case "tags": tr("tags", context: "field")
            case "text": tr("text", context: "field")
            case "thumbnail": tr("thumbnail", context: "field")
            case "title": tr("title", context: "field")
            case "weather": tr("weather", context: "field")
            default: plain(name)
            }
        }

        /// The word for a record of the journal, or for the space; a record of another schema has the name
        /// of its collection.
        package static func noun(_ name: String) -> String {
            switch name.replacing("_", with: " ") {
            case "bucket item": tr("bucket item", context: "noun")
            case "file": tr("file", context: "noun")
            case "media": tr("media", context: "noun")
            case "memory": tr("memory", context: "noun")
            case "photo": tr("photo", context: "noun")
            case "record": tr("record", context: "noun")
            case "setting": tr("setting", context: "noun")
            case "space": tr("space", context: "noun")
            case "tag": tr("tag", context: "noun")
            case "tag category": tr("tag category", context: "noun")
            case "track": tr("track", context: "noun")
            case "trip": tr("trip", context: "noun")
            case "video": tr("video", context: "noun")
            default: plain(name)
            }
        }

        private static func counted(_ number: Int, _ noun: String) -> String {
            switch noun {
            case "bucket item": count(number, "bucket item", "bucket items")
            case "file": count(number, "file", "files")
            case "memory": count(number, "memory", "memories")
            case "photo": count(number, "photo", "photos")
            case "record": count(number, "record", "records")
            case "setting": count(number, "setting", "settings")
            case "tag": count(number, "tag", "tags")
            case "tag category": count(number, "tag category", "tag categories")
            case "track": count(number, "track", "tracks")
            case "video": count(number, "video", "videos")
            default: count(number, plain(noun), plural(noun))
            }
        }

        private static func names(_ change: ChangeView) -> String {
            change.names.map(Sentence.name).joined(separator: ", ")
        }

        /// `one, two and three`.
        private static func list(_ parts: [String]) -> String {
            guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
            return parts.dropLast().joined(separator: ", ") + tr(" and ") + last
        }

        private static func article(_ noun: String) -> String {
            noun.first.map { "aeiou".contains($0.lowercased()) } ?? false
                ? tr("an", context: "without a name") : tr("a", context: "without a name")
        }

        /// The plural of a collection's name, which may be any word: by the rules of English spelling.
        private static func plural(_ noun: String) -> String {
            let noun = plain(noun)
            let vowels = ["ay", "ey", "oy", "uy"]
            if noun.hasSuffix("y"), !vowels.contains(where: noun.hasSuffix) {
                return noun.dropLast() + "ies"
            }
            return noun
                + (["s", "x", "ch", "sh"].contains(where: noun.hasSuffix) ? "es" : "s")
        }
    }
}
