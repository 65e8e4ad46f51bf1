package import LocalAPI
internal import Store
package import SyncCore

/// Finds the thing that a person means by a name or the beginning of an id.
///
/// The first rule that fits anything decides: the exact name; the name ignoring case and composition; the
/// name with the beginning of the id, as in `Rome (3f2a)`, which is how equal names are shown; the
/// beginning of an id, at least four characters; the beginning of a name; beginnings of its words; any part
/// of it, at least three characters.
package enum Lookup {
    /// A thing that people can name.
    package struct Entry: Sendable {
        /// The whole id, as views show it; hyphens may be left out when typing.
        package let id: String
        package let name: String

        package init(id: String, name: String) { (self.id, self.name) = (id, name) }
    }

    /// Shorter beginnings of ids could be names.
    static let leastIDCharacters = 4
    /// Shorter parts could be in a name by chance.
    static let leastPartCharacters = 3

    /// Indices of the entries that fit by the first fitting rule: several when ambiguous.
    package static func matches(_ typed: String, among entries: [Entry]) -> [Int] {
        let folded = fold(typed)
        guard !folded.isEmpty else { return [] }
        let id = plain(folded)
        let names = entries.map { fold($0.name) }
        let toldApart = toldApart(folded)
        let rules: [(Int) -> Bool] = [
            { entries[$0].name.utf8.elementsEqual(typed.utf8) },
            { names[$0].utf8.elementsEqual(folded.utf8) },
            { index in
                toldApart.map { name, id in
                    names[index].utf8.elementsEqual(name.utf8)
                        && plain(entries[index].id).hasPrefix(id)
                } ?? false
            },
            { id.utf8.count >= leastIDCharacters && plain(entries[$0].id).hasPrefix(id) },
            { names[$0].hasPrefix(folded) },
            { begins(words(folded), in: words(names[$0])) },
            { folded.count >= leastPartCharacters && names[$0].contains(folded) },
        ]
        for rule in rules {
            let found = entries.indices.filter(rule)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// `rome` and `3f2a` of `rome (3f2a)`; nil for other texts.
    private static func toldApart(_ folded: String) -> (name: String, id: String)? {
        guard folded.hasSuffix(")"), let open = folded.lastIndex(of: "("), open > folded.startIndex
        else { return nil }
        let id = plain(String(folded[folded.index(after: open)...].dropLast()))
        guard id.utf8.count >= leastIDCharacters else { return nil }
        return (fold(String(folded[..<open])), id)
    }

    /// Like ``matches(_:among:)`` where equal names mean one thing: all of that name, ignoring case.
    package static func allMatches(_ typed: String, among entries: [Entry]) -> [Int] {
        let same = entries.indices.filter { areSame(entries[$0].name, typed) }
        return same.isEmpty ? matches(typed, among: entries) : same
    }

    /// Whether the words begin words of a name, in the same order.
    private static func begins(_ typed: [Substring], in name: [Substring]) -> Bool {
        var rest = name[...]
        for word in typed {
            guard let place = rest.firstIndex(where: { $0.hasPrefix(word) }) else { return false }
            rest = rest[(place + 1)...]
        }
        return !typed.isEmpty
    }

    private static func words(_ name: String) -> [Substring] {
        name.split { !$0.isLetter && !$0.isNumber }
    }

    /// The thing that is meant; throws `notFound` or `ambiguous`, with suggestions. When inlined into async
    /// functions, its typed errors crash the optimiser of Swift 6.3.1.
    @inline(never) package static func find<Thing>(
        _ typed: String, _ kind: NamedThing, among things: [Thing], by entry: (Thing) -> Entry
    ) throws(APIError) -> Thing {
        try find(typed, kind, among: things, by: entry, toldApart: entry)
    }

    /// The candidates of an ambiguous name have the names that `candidate` gives them.
    @inline(never) private static func find<Thing>(
        _ typed: String, _ kind: NamedThing, among things: [Thing], by entry: (Thing) -> Entry,
        toldApart candidate: (Thing) -> Entry
    ) throws(APIError) -> Thing {
        guard !fold(typed).isEmpty else { throw APIError.emptyName }
        let entries = things.map(entry)
        let found = matches(typed, among: entries).map { things[$0] }
        return try single(
            typed, kind, found, by: candidate,
            orElse: APIError.unknown(
                kind, ShownText.line(typed),
                similar: SimilarNames.of(typed, among: entries.map(\.name))))
    }

    /// The device that is meant, among things that stand for devices; throws as ``find(_:_:among:by:)``.
    @inline(never) package static func device<Thing>(
        _ typed: String, among things: [Thing], of replica: any Replica,
        by device: (Thing) -> DeviceID
    ) throws(APIError) -> Thing {
        if let thing = withPerson(typed, among: things, of: replica, by: device) { return thing }
        func entry(_ own: Reference) -> Entry { Entry(id: own.id, name: own.name) }
        return try find(
            typed, .device, among: things, by: { entry(replica.reference(device($0))) },
            toldApart: { entry(replica.distinctReference(device($0))) })
    }

    /// The only device that is called by its name and its person's, as in `desk (Ben)`: lists show it so.
    static func withPerson<Thing>(
        _ typed: String, among things: [Thing], of replica: any Replica,
        by device: (Thing) -> DeviceID
    ) -> Thing? {
        guard fold(typed).hasSuffix(")") else { return nil }
        let owners = replica.knownOwners
        let found = things.filter { thing in
            let (device, owner) = (device(thing), owners[device(thing)])
            guard let owner else { return false }
            let name = replica.reference(device).name
            return areSame("\(name) (\(replica.reference(owner).name))", typed)
        }
        return found.count == 1 ? found[0] : nil
    }

    /// The only thing found; throws with the candidates when there are several.
    @inline(never) package static func single<Thing>(
        _ typed: String, _ kind: NamedThing, _ found: [Thing], by entry: (Thing) -> Entry,
        orElse unknown: @autoclosure () -> APIError
    ) throws(APIError) -> Thing {
        if let thing = found.first, found.count == 1 { return thing }
        guard !found.isEmpty else { throw unknown() }
        throw APIError.ambiguous(
            kind, ShownText.line(typed), candidates: candidates(found.map(entry)))
    }

    /// This device, or another known one.
    @inline(never) static func anyDevice(
        _ typed: String, of replica: any Replica
    ) throws -> DeviceID {
        let known = try replica.knownDevices().map(\.card.device).sorted()
        return try device(typed, among: [replica.local.device] + known, of: replica) { $0 }
    }

    /// A name in the form for comparing: without differences in case, composition of accents, and blanks
    /// around it.
    package static func fold(_ name: String) -> String { NameFolding.fold(name) }

    package static func areSame(_ one: String, _ other: String) -> Bool {
        NameFolding.areEqual(one, other)
    }

    static func candidates(_ entries: [Entry]) -> [Reference] {
        let short = ShortIDs(entries.map(\.id))
        return entries.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
            .map { Reference(id: $0.id, shortID: short[$0.id], name: $0.name) }
    }

    private static func plain(_ id: String) -> String {
        id.lowercased().filter { $0 != "-" }
    }
}
