internal import Store
internal import SyncCore
internal import Synchronization

/// The shown names of people and spaces, rebuilt after anything was stored.
package final class NameBook: Sendable {
    private struct Page<ID: Hashable & Sendable>: Sendable {
        let version: UInt64
        let own: PersonID
        let names: [ID: String]
    }

    private let people = Mutex<Page<PersonID>?>(nil)
    private let spaces = Mutex<Page<SpaceID>?>(nil)

    package init() {}

    /// The names of people, with an addition where they look alike.
    func names(for replica: some Replica) -> [PersonID: String] {
        Self.names(on: people, for: replica) { own in
            Self.toldApart(replica.names.everyone(), except: own, id: \.description)
        }
    }

    /// The names of spaces, with an addition where they look alike; without those that have none.
    func spaces(for replica: some Replica) -> [SpaceID: String] {
        Self.names(on: spaces, for: replica) { _ in
            var names: [SpaceID: String] = [:]
            // Commands tell an existing space from a deleted one.
            let every = try SpaceDirectory(replica).every().filter { !$0.name.isEmpty }
            for spaces in Dictionary(grouping: every, by: { $0.deletion == nil }).values {
                let named = spaces.map { ($0.space, $0.name) }
                let told = Self.toldApart(Dictionary(named) { $1 }, id: \.description)
                names.merge(told) { first, _ in first }
            }
            return names
        }
    }

    private static func names<ID>(
        on page: borrowing Mutex<Page<ID>?>, for replica: some Replica,
        _ read: (PersonID) throws -> [ID: String]
    ) -> [ID: String] {
        replica.reading("names not read", or: [:]) {
            try replica.store.snapshot { version in
                let own = replica.local.person
                if let known = page.withLock({ $0 }), known.version == version, known.own == own {
                    return known.names
                }
                let names = try read(own)
                page.withLock { $0 = Page(version: version, own: own, names: names) }
                return names
            }
        }
    }

    /// Appends the beginning of the id to names that look alike, except one's own.
    private static func toldApart<ID: Hashable>(
        _ names: [ID: String], except own: ID? = nil, id text: (ID) -> String
    ) -> [ID: String] {
        let alike = Dictionary(grouping: names.keys) { Lookup.fold(names[$0] ?? "") }
        var told = names
        for same in alike.values where same.count > 1 {
            // Four digits are enough for most households.
            let isEnough = Set(same.map { text($0).prefix(4) }).count == same.count
            let short = ShortIDs(same.map(text))
            for each in same where each != own {
                let id = text(each)
                let digits = isEnough ? String(id.prefix(4)) : short[id]
                told[each] = "\(names[each] ?? "") (\(digits))"
            }
        }
        return told
    }
}
