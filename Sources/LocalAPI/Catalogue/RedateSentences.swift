/// Dating the changes of a device anew.
extension Sentence {
    package enum Redate {
        /// What would be done, line by line, with the question at the end. `lines` name trip, count and
        /// times.
        package static func question(_ view: RedateView, lines: String) -> String {
            var text = """
                \(lines)
                \(movement(view, isDone: false)) Who shares \(trips(view)) with you sees the same, and \
                of what was changed twice at once the later one. \
                \(view.offsetMilliseconds == 0 ? "Redate" : "Undo") at any time with: \
                peersync device redate \(quoted(view.device.name))\
                \(view.offsetMilliseconds == 0 ? "" : " --undo")
                """
            text += refused(view)
            return text + "\nRedate \(view.changes == 1 ? "it" : "them")?"
        }

        package static func done(_ view: RedateView) -> String {
            movement(view, isDone: true) + refused(view)
        }

        private static func trips(_ view: RedateView) -> String {
            view.trips.count == 1 ? "this trip" : "these trips"
        }

        private static func movement(_ view: RedateView, isDone: Bool) -> String {
            let what = count(view.changes, "change", "changes")
            let verb = isDone ? (view.changes == 1 ? "is" : "are") + " now" : "would be"
            let device = name(view.device.name)
            guard view.offsetMilliseconds != 0 else {
                return "\(what) of \(device) \(verb) dated again as its clock said."
            }
            let seconds = Int(clamping: view.offsetMilliseconds.magnitude / 1000)
            let side = view.offsetMilliseconds < 0 ? "earlier" : "later"
            return """
                \(what) of \(device) \(verb) dated \(Status.exactDuration(seconds)) \(side) \
                than its clock said.
                """
        }

        private static func refused(_ view: RedateView) -> String {
            guard !view.refused.isEmpty else { return "" }
            let names = view.refused.map { name($0.name) }.joined(separator: ", ")
            return "\nNot in \(names): there you may not."
        }

        /// Of a person's own lists in place of a trip's name.
        package static let ownLists = "your own lists"
    }
}

extension Sentence.Status {
    /// `3 days 2 hours`: the two greatest units.
    package static func exactDuration(_ seconds: Int) -> String {
        let units = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")]
        guard let first = units.firstIndex(where: { seconds >= $0.0 }) else { return "0 seconds" }
        var rest = seconds
        var parts: [String] = []
        for (size, unit) in units[first...].prefix(2) where rest >= size {
            parts.append(Sentence.count(rest / size, unit, unit + "s"))
            rest %= size
        }
        return parts.joined(separator: " ")
    }
}

extension APIError {
    package static func nothingAhead(device: String) -> APIError {
        APIError(
            code: .conflict,
            sentence: "No change of \(Sentence.name(device)) is dated in the future.",
            hint: """
                Other ones by their time: peersync device redate \(Sentence.quoted(device)) \
                --from TIME --to TIME --earlier 1h
                """)
    }

    package static func nothingInSpan(device: String) -> APIError {
        APIError(
            code: .conflict,
            sentence: "\(Sentence.name(device)) changed nothing in that time, by its own clock.",
            hint: "See what it changed: peersync log --since all")
    }

    package static func nothingRedated(device: String) -> APIError {
        APIError(
            code: .conflict, sentence: "No change of \(Sentence.name(device)) was redated.",
            hint: "See what it changed: peersync log --since all")
    }

    package static func mayNotRedate(device: String, person: String, trip: String) -> APIError {
        APIError(
            code: .notAllowed,
            sentence: "You may not redate changes of \(Sentence.name(device)).",
            hint: """
                \(Sentence.plain(person)) can, and every admin of \(Sentence.name(trip)): \
                peersync device redate \(Sentence.quoted(device))
                """)
    }

    /// `device` is nil when this computer differs from all others.
    package static func clocksDiffer(device: String?, seconds: Int) -> APIError {
        APIError(
            code: .conflict,
            sentence: device.map {
                """
                The clock of \(Sentence.name($0)) is still \
                \(Sentence.Status.exactDuration(abs(seconds))) \(seconds > 0 ? "ahead of" : "behind") \
                this one's, so nobody can say yet how wrong it was.
                """
            } ?? """
                The clock of this computer differs from those of all other devices, so nobody can \
                say from here how wrong another one was.
                """,
            hint: """
                First set the clock right (sudo timedatectl set-ntp true), or say how far it was \
                off: --earlier 1h
                """)
    }

    package static func howFarUnknown(device: String) -> APIError {
        APIError(
            code: .badInput,
            sentence: "How far the clock of \(Sentence.name(device)) was off is not known here.",
            hint: "Say it: --earlier 1h30m or --later 2d")
    }

    package static let bothWays = APIError(
        code: .badInput, sentence: "It cannot be both earlier and later.")
    package static let badDuration = APIError(
        code: .badInput, sentence: "That is no length of time.",
        hint: "Type it like 3d, 1h30m or 45s.")
}
