internal import Store
internal import SyncCore
internal import Synchronization

/// The shown names of people, rebuilt after anything was stored.
package final class NameBook: Sendable {
    private struct Page {
        var version: UInt64
        var own: PersonID
        var names: [PersonID: String]
    }

    private let page = Mutex<Page?>(nil)

    package init() {}

    /// The names of people, with an addition where they look alike.
    func names(for replica: some Replica) -> [PersonID: String] {
        do {
            return try replica.store.snapshot { version in
                let own = replica.local.person
                if let known = page.withLock({ $0 }), known.version == version, known.own == own {
                    return known.names
                }
                let names = NameBook.toldApart(replica.peopleNames(), from: own)
                page.withLock { $0 = Page(version: version, own: own, names: names) }
                return names
            }
        } catch {
            replica.couldNotRead("names not read", error)
            return [:]
        }
    }

    /// Appends the beginning of the id to names that look alike, except one's own.
    private static func toldApart(
        _ names: [PersonID: String], from own: PersonID
    ) -> [PersonID: String] {
        let alike = Dictionary(grouping: names.keys) { Lookup.fold(names[$0] ?? "") }
        var told = names
        for people in alike.values where people.count > 1 {
            // Four digits are enough for most households.
            let isEnough = Set(people.map { $0.description.prefix(4) }).count == people.count
            let short = ShortIDs(people.map(\.description))
            for person in people where person != own {
                let id = person.description
                let digits = isEnough ? String(id.prefix(4)) : short[id]
                told[person] = "\(names[person] ?? "") (\(digits))"
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
            for device in try store.devices() { people.insert(device.person) }
        } catch {
            couldNotRead("devices not read", error)
        }
        return people.reduce(into: [:]) { names, person in
            let shown = ShownText.name(personName(person))
            names[person] = shown.isEmpty ? String(person.description.prefix(8)) : shown
        }
    }
}
