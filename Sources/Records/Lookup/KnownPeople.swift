internal import LocalAPI
internal import Store
package import SyncCore

/// The people whose devices this one knows, by pairing or from a common trip: the subjects of grants and
/// revocations.
package struct KnownPeople {
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    struct Person {
        let id: PersonID
        let name: String
        var cards: [Card]

        var entry: Lookup.Entry { Lookup.Entry(id: id.description, name: name) }
    }

    /// A person with all their devices, or with a named one.
    struct Subject {
        let person: Person
        let device: Reference?
        let cards: [Card]
    }

    func all() throws -> [Person] {
        var cards = try replica.knownDevices().map(\.card)
        for space in try SpaceDirectory(replica).readable() {
            cards += (replica.membership(of: space.id)?.members ?? []).map(\.standing.card)
        }
        if let own = replica.local.card { cards.append(own) }
        var people: [PersonID: Person] = [:]
        var seen: Set<DeviceID> = []
        for card in cards where seen.insert(card.device).inserted {
            let name = replica.reference(card.person).name
            people[card.person, default: Person(id: card.person, name: name, cards: [])]
                .cards.append(card)
        }
        return people.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// The person or device that is meant; a person goes before a device of the same name.
    // Not inlined, for the same reason as Lookup.find.
    @inline(never)
    func subject(_ typed: String) throws -> Subject {
        let people = try all()
        let found = Lookup.matches(typed, among: people.map(\.entry)).map { people[$0] }
        if found.isEmpty {
            let devices = people.flatMap { person in person.cards.map { (person, $0) } }
            let named = Lookup.withPerson(typed, among: devices, of: replica) { $0.1.device }
            if let (person, card) = named {
                return Subject(
                    person: person, device: replica.reference(card.device), cards: [card])
            }
            let entries = devices.map { replica.reference($0.1.device) }
            let meant = Lookup.matches(
                typed, among: entries.map { Lookup.Entry(id: $0.id, name: $0.name) })
            if !meant.isEmpty {
                let index = try Lookup.single(
                    typed, .device, meant,
                    by: { Lookup.Entry(id: entries[$0].id, name: entries[$0].name) },
                    orElse: APIError.unknown(.device, typed))
                return Subject(
                    person: devices[index].0, device: entries[index], cards: [devices[index].1])
            }
        }
        let person = try Lookup.find(typed, .person, among: people) { $0.entry }
        return Subject(person: person, device: nil, cards: person.cards)
    }

    package func isKnown(_ person: PersonID) -> Bool {
        replica.reading("people not read", or: false) { try all().contains { $0.id == person } }
    }
}
