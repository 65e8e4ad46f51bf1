internal import SyncCore

/// Names that look alike are told apart.
extension NameBook {
    /// The names of people, with an addition where they look alike.
    func names(for replica: some Replica) -> [PersonID: String] {
        people(for: replica) { own in
            Self.toldApart(replica.names.everyone(), except: own, id: \.description)
        }
    }

    /// The names of spaces, with an addition where they look alike; without those that have none.
    func spaces(for replica: some Replica) -> [SpaceID: String] {
        spaces(for: replica) { _ in
            var names: [SpaceID: String] = [:]
            // Commands tell an existing space from a deleted one.
            let every = try SpaceDirectory(replica).list([.shared, .deleted]).filter {
                !$0.name.isEmpty
            }
            for spaces in Dictionary(grouping: every, by: { $0.deletion == nil }).values {
                let named = spaces.map { ($0.space, $0.name) }
                let told = Self.toldApart(Dictionary(named) { $1 }, id: \.description)
                names.merge(told) { first, _ in first }
            }
            return names
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
