import SyncCore

extension FuzzTarget {
    /// Facts as they stand in stored commits, of a few devices and people who name each other's
    /// grants in every way, also in ways that no commit could have.
    static let membership = FuzzTarget("membership", longestInput: 2048) { input in
        let commits = FuzzMembership.commits(ByteSource(input))
        let membership = FuzzMembership.membership(commits)
        try FuzzMembership.check(membership.standings)
        let backwards = FuzzMembership.membership(commits.reversed())
        try FuzzMembership.checkSame(membership, backwards, commits)
    }
}

/// Membership facts made of bytes, and what must hold for everything that follows from them.
enum FuzzMembership {
    private static let devices = 6
    private static let people = 3

    // MARK: Facts

    /// What follows from commits that come in this order.
    static func membership(_ commits: [VerifiedCommit]) -> Membership {
        var membership = Membership()
        for commit in commits {
            _ = membership.add(commit)
            // No log has a commit 0: a proof of two such ones is refused when it is read.
            for case .fork(let log, let sequence) in commit.facts where sequence > 0 {
                _ = membership.fork(log, at: sequence)
            }
        }
        return membership
    }

    static func commits(_ bytes: ByteSource) -> [VerifiedCommit] {
        var source = bytes
        var commits = [commit(number: 0, device: 0, sequence: 1, grant: .none, [founder])]
        for number in 1...40 where !source.isEmpty {
            let device = source.below(devices)
            let sequence = 2 + UInt64(source.below(16))
            let grant = reference(&source, among: number)
            let facts = (0...source.below(3)).map { _ in fact(&source, among: number) }
            commits.append(
                commit(number: number, device: device, sequence: sequence, grant: grant, facts))
        }
        return commits
    }

    private static var founder: MembershipFact {
        .grant(
            Grant(
                card: card(0), parent: nil, flags: .all, siblingIndex: 0,
                precedence: Precedence.authority.rawValue))
    }

    private static func fact(_ source: inout ByteSource, among count: Int) -> MembershipFact {
        switch source.below(16) {
        case 0...6: .grant(grant(&source, among: count))
        case 7...10: .revocation(revocation(&source, among: count))
        case 11: .fork(log(&source), sequence: UInt64(source.below(20)))
        case 12:
            .personGrant(grant(&source, among: count), StatementKey(person(source.below(people))))
        case 13:
            .personRevocation(
                revocation(&source, among: count), StatementKey(person(source.below(people))))
        case 14: .epoch(EpochFact(recipient: "", keys: [], covers: []))
        default: .void
        }
    }

    private static func grant(_ source: inout ByteSource, among count: Int) -> Grant {
        let choices = source.byte()
        return Grant(
            card: card(source.below(devices)),
            // Some claim to come from nobody, like the founder's.
            parent: choices == 0xFF ? nil : reference(&source, among: count),
            flags: choices & 0x40 == 0 ? .all : Permissions(rawValue: UInt32(choices & 0x3F)),
            siblingIndex: choices & 0x80 == 0 ? 0 : UInt32(source.number(bytes: 4)),
            precedence: UInt32(source.below(4)))
    }

    private static func revocation(_ source: inout ByteSource, among count: Int) -> Revocation {
        let named = reference(&source, among: count)
        let remaining = Permissions(rawValue: UInt32(source.byte() & 0x3F))
        let cut = (0..<source.below(4)).map { _ in
            LogPosition(
                log: log(&source),
                head: LogHead(sequence: UInt64(source.below(20)), commit: .zero))
        }
        return Revocation(
            grant: named, remaining: remaining, cut: Watermark(cut),
            scope: source.flag() ? .person : .device,
            cascade: [.none, .samePerson, .all][source.below(3)])
    }

    /// A fact of any commit, the one that is being made and ones to come included.
    private static func reference(_ source: inout ByteSource, among count: Int) -> FactReference {
        FactReference(commit: id(source.below(count + 2)), index: UInt32(source.below(3)))
    }

    private static func log(_ source: inout ByteSource) -> LogID {
        LogID(device: card(source.below(devices)).device, incarnation: .zero)
    }

    private static func person(_ number: Int) -> PersonID {
        PersonID(sha256(FuzzSpace.key(100 + number).bytes))
    }

    /// Two devices for each person.
    private static func card(_ number: Int) -> Card {
        let content = CardContent(
            signingKey: FuzzSpace.key(1 + number), agreementKey: .zero,
            personKey: FuzzSpace.key(100 + number / 2))
        return Card(verified: UnverifiedCard(links: [], encoded: []), content: content)
    }

    private static func id(_ number: Int) -> CommitID {
        CommitID(FuzzSpace.key(1 + number))
    }

    private static func commit(
        number: Int, device: Int, sequence: UInt64, grant: FactReference, _ facts: [MembershipFact]
    ) -> VerifiedCommit {
        let log = LogID(device: card(device).device, incarnation: .zero)
        var header = FuzzSpace.header(log: log, sequence: sequence)
        header.grant = grant
        if number > 0 { header.space = SpaceID(id(0).value) }
        let bytes = EncodedCommit(header: [], signature: [], clear: [], operations: [])
        return VerifiedCommit(
            verified: UnverifiedCommit(
                id: id(number), header: header, clear: ClearPart(), operations: [], encoded: bytes),
            facts: facts)
    }

    // MARK: What must hold

    /// Nobody may more than who let them in.
    static func check(_ standings: [FactReference: GrantStanding]) throws {
        for standing in standings.values {
            try require(
                standing.current.isSubset(of: standing.granted), "restrictions only take away")
            guard let parent = standing.parent else {
                try require(standing.order.rank == 1, "only the founder comes from nobody")
                continue
            }
            guard let senior = standings[parent] else {
                throw BrokenProperty(description: "a grant stands on one that stands")
            }
            // Who may give the space to others may also have it carried.
            let givable =
                senior.granted.contains(.admin) ? senior.granted.union(.vault) : senior.granted
            try require(standing.granted.isSubset(of: givable), "a grant gives what its giver has")
            try require(standing.order.rank >= senior.order.rank, "nobody rises above their giver")
            try require(
                standing.order.rank > senior.order.rank || standing.order > senior.order,
                "a sibling comes after its elder")
        }
    }

    /// Whichever fact came first, the same follows.
    static func checkSame(
        _ one: Membership, _ other: Membership, _ commits: [VerifiedCommit]
    ) throws {
        try require(one.forks == other.forks, "the order of arrival changes no fork")
        try require(
            Set(one.standings.keys) == Set(other.standings.keys),
            "the order of arrival changes no standing")
        for (grant, standing) in one.standings {
            let same = other.standings[grant]
            try require(same?.order == standing.order, "the order of arrival changes no rank")
            try require(same?.current == standing.current, "the order of arrival takes nothing")
            for device in 0..<devices {
                let log = LogID(device: card(device).device, incarnation: .zero)
                for sequence in stride(from: 1, to: 21, by: 3) as StrideTo<UInt64> {
                    let allowed = one.permissions(under: grant, at: log, sequence)
                    try require(
                        allowed == other.permissions(under: grant, at: log, sequence),
                        "the order of arrival changes no permission")
                    if let fork = one.forks[log], sequence >= fork {
                        try require(allowed.isEmpty, "nothing counts from a fork on")
                    }
                }
            }
        }
    }
}
