package import LocalAPI
internal import Store
internal import SyncCore

/// Moments that a person named on this device, by the time when changes came to it.
package struct MomentMarks: Sendable {
    private let list = StoredList<MarkView>(key: "history.marks")
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// The latest last. Throws what the store throws.
    package func all() throws -> [MarkView] {
        try list.all(in: replica.store)
    }

    /// Names the current moment. Throws ``APIError``.
    package func mark(_ draft: NameDraft) throws -> MarkView {
        let name = draft.name.trimmedLine
        guard ShownText.isName(name) else {
            throw Sentence.Usage.badName(draft.name, most: Limits.nameBytes)
        }
        guard TimeInput().since(name) == nil else {
            throw APIError(
                code: .badInput, sentence: "\(Sentence.name(name)) is a time already.",
                hint: "Choose a name that is no time.")
        }
        var marks = try all()
        guard !marks.contains(where: { $0.name == name }) else {
            throw APIError(
                code: .conflict, sentence: "A moment is called \(Sentence.name(name)) already.",
                hint: "Take that name away first: peersync history unmark \(Sentence.quoted(name))")
        }
        guard marks.count < Limits.momentMarks else {
            throw APIError(
                code: .tooLarge, sentence: "So many moments cannot have a name.",
                hint: "Take one away first: peersync history unmark NAME")
        }
        let mark = MarkView(name: name, at: Moment(replica.now))
        marks.append(mark)
        try list.keep(marks, in: replica.store)
        return mark
    }

    /// The one that is meant by its name or a part of it, as ``Lookup`` finds names. Throws ``APIError``.
    package func find(_ typed: String) throws -> MarkView {
        let marks = try all()
        let entries = marks.map { Lookup.Entry(id: "", name: $0.name) }
        let found = Lookup.matches(typed, among: entries).map { marks[$0] }
        let similar = SimilarNames.of(typed, among: marks.map(\.name))
        let unknown =
            similar.isEmpty
            ? APIError(
                code: .notFound, sentence: "There is no time or moment \(Sentence.name(typed)).",
                hint: """
                    A time is like 2024-05-11, yesterday or \"today 18:00\"; moments: peersync history marks
                    """)
            : APIError.unknown(.moment, ShownText.line(typed), similar: similar)
        return try Lookup.single(
            typed, .moment, found, by: { Lookup.Entry(id: "", name: $0.name) }, orElse: unknown)
    }

    /// Found as by ``find(_:)``. Throws ``APIError``.
    package func remove(_ typed: String) throws -> MarkView {
        let mark = try find(typed)
        try list.keep(try all().filter { $0.name != mark.name }, in: replica.store)
        return mark
    }
}

extension Limits {
    /// Named moments that are kept.
    static let momentMarks = 1_000
}
