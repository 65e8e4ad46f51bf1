internal import Store
internal import SyncCore
internal import Synchronization

/// The shown names of people and spaces, rebuilt after anything was stored.
package final class NameBook: Sendable {
    private struct Page {
        var version: UInt64
        var own: PersonID
        var names: [PersonID: String]
    }

    private struct Spaces {
        var version: UInt64
        var names: [SpaceID: String]
    }

    private let page = Mutex<Page?>(nil)
    private let spaces = Mutex<Spaces?>(nil)

    package init() {}

    /// The names of people, with an addition where they look alike.
    func names(for replica: some Replica) -> [PersonID: String] {
        do {
            return try replica.store.snapshot { version in
                let own = replica.local.person
                if let known = page.withLock({ $0 }), known.version == version, known.own == own {
                    return known.names
                }
                let people = replica.peopleNames()
                let names = NameBook.toldApart(people, except: own, id: \.description)
                page.withLock { $0 = Page(version: version, own: own, names: names) }
                return names
            }
        } catch {
            replica.couldNotRead("names not read", error)
            return [:]
        }
    }

    /// The names of spaces, with an addition where they look alike; without those that have none.
    func spaces(for replica: some Replica) -> [SpaceID: String] {
        do {
            return try replica.store.snapshot { version in
                if let known = spaces.withLock({ $0 }), known.version == version {
                    return known.names
                }
                var names: [SpaceID: String] = [:]
                // Commands tell an existing space from a deleted one.
                let every = try SpaceDirectory(replica).every().filter { !$0.name.isEmpty }
                for spaces in Dictionary(grouping: every, by: { $0.deletion == nil }).values {
                    let named = spaces.map { ($0.space, $0.name) }
                    let told = NameBook.toldApart(Dictionary(named) { $1 }, id: \.description)
                    names.merge(told) { first, _ in first }
                }
                let all = Spaces(version: version, names: names)
                spaces.withLock { $0 = all }
                return all.names
            }
        } catch {
            replica.couldNotRead("names not read", error)
            return [:]
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

extension Replica {
    /// All people who are known here, by pairing or from a common space, with their shown names.
    fileprivate func peopleNames() -> [PersonID: String] {
        var people: Set<PersonID> = [local.person]
        for ledger in store.ledgers.values { people.formUnion(ledger.membership.people) }
        do {
            for device in try store.devices.all() { people.insert(device.person) }
        } catch {
            couldNotRead("devices not read", error)
        }
        return people.reduce(into: [:]) { names, person in
            let shown = ShownText.name(personName(person))
            names[person] = shown.isEmpty ? String(person.description.prefix(8)) : shown
        }
    }
}
