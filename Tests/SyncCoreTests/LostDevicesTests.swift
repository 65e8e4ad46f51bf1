import SyncCore
import Testing

/// Who is lost, when a thief speaks as well.
///
/// In each household L is the owner's laptop, P their phone, T a tablet that was stolen, and N what the thief
/// let in with it. They differ in who let in whom.
@Suite("Lost devices")
struct LostDevicesTests {
    private static let households: [[String]] = [
        ["L", "LP", "LT", "LTN"],
        ["L", "LP", "LTP", "LT", "LTN"],
        ["L", "PTL", "P", "PT", "PTN"],
        ["TL", "TP", "T", "TN"],
    ]

    private static func device(_ letter: Character) -> DeviceID {
        DeviceID(sha256(Array("device \(letter)".utf8)))
    }

    private static func chains(
        _ household: [String], key: Bytes32 = .zero
    ) -> [DeviceChain] {
        household.map { DeviceChain(key: key, $0.map(device)) }
    }

    /// `by` is empty for the key.
    private static func statement(
        _ by: String, _ subject: LossStatement.Subject, _ number: UInt8, key: Bytes32? = nil
    ) -> VerifiedLossStatement {
        var nonce = [UInt8](repeating: 0, count: Bytes16.byteCount)
        nonce[0] = number
        let said = LossStatement(
            personKey: .zero, key: key, signer: by.first.map(device),
            nonce: Bytes16(nonce) ?? .zero, subject: subject)
        return VerifiedLossStatement(
            verified: UnverifiedLossStatement(
                said, bytes: Array("\(by) \(number)".utf8), signature: [], cards: []))
    }

    private static func lost(
        _ by: String, _ about: Character, _ number: UInt8, keeps: String = "",
        upholds: [LossID] = []
    ) -> VerifiedLossStatement {
        statement(
            by, .lost(device(about), upholds: upholds, keeps: keeps.map(device)), number)
    }

    private static let mine = lost("L", "T", 1)
    private static let byKey = lost("", "T", 2, keeps: "LP")
    private static let evil: [VerifiedLossStatement] = [
        lost("T", "P", 3), lost("T", "L", 4), lost("N", "L", 5), lost("N", "P", 6),
        statement("T", .found([mine.id]), 7), statement("N", .found([mine.id, byKey.id]), 8),
        statement("T", .found([byKey.id]), 9),
    ]

    /// Every set of at most four of them.
    private static func sets(_ all: [VerifiedLossStatement]) -> [[VerifiedLossStatement]] {
        (0..<(1 << all.count)).filter { $0.nonzeroBitCount <= 4 }.map { bits in
            all.indices.filter { bits & (1 << $0) != 0 }.map { all[$0] }
        }
    }

    private static func letters(_ judged: LostDevices) -> String {
        "LPTN".filter { judged.isLost(device($0)) }
    }

    @Test("whatever a thief says, the owner's word holds, and the key puts it right")
    func thief() {
        var worlds = 0
        for household in Self.households {
            let chains = Self.chains(household)
            let isElder = household.contains("T")
            for evil in Self.sets(Self.evil) {
                for said in [[], [Self.mine], [Self.byKey], [Self.mine, Self.byKey]] {
                    worlds += 1
                    let world = evil + said
                    let judged = LostDevices(world, chains: chains)
                    let out = Self.letters(judged)
                    #expect(
                        out == Self.letters(LostDevices(world.reversed(), chains: chains)))
                    let isSaid =
                        said.contains(Self.byKey) || (said.contains(Self.mine) && !isElder)
                    #expect(isElder || !out.contains("L"), "L is lost by what T says: \(world)")
                    if isSaid {
                        #expect(out.contains("T") && out.contains("N"), "back in: \(world)")
                        #expect(!out.contains("P"), "P is lost by what T says: \(world)")
                    }
                    let wrong = world.filter {
                        $0.said.lost.map { $0 != Self.device("T") } ?? false
                    }
                    let end =
                        world + [
                            Self.statement("", .found(wrong.map(\.id)), 20), Self.byKey,
                        ]
                    #expect(Self.letters(LostDevices(end, chains: chains)) == "TN")
                }
            }
        }
        #expect(worlds == 1584)
    }

    @Test("two of one level that call each other lost are both lost, and only held back")
    func equals() {
        let judged = LostDevices(
            [Self.lost("P", "T", 1), Self.lost("T", "P", 2)],
            chains: Self.chains(["L", "LP", "LT"]))
        #expect(Self.letters(judged) == "PT")
        #expect(judged.losses.values.allSatisfy { !$0.isBySenior })
        // An elder decides.
        let found = Self.statement("L", .found([Self.lost("T", "P", 2).id]), 3)
        let decided = LostDevices(
            [Self.lost("P", "T", 1), Self.lost("T", "P", 2), found],
            chains: Self.chains(["L", "LP", "LT"]))
        #expect(Self.letters(decided) == "T")
    }

    @Test("a younger device calls no elder one lost, and an elder one's word takes rights")
    func levels() {
        let chains = Self.chains(["L", "LP", "LT"])
        #expect(Self.letters(LostDevices([Self.lost("P", "L", 1)], chains: chains)).isEmpty)
        let judged = LostDevices([Self.lost("L", "P", 1)], chains: chains)
        #expect(judged.losses[Self.device("P")]?.isBySenior == true)
    }

    @Test("a device that called another one lost can take it back, an elder can, and no equal")
    func found() {
        let chains = Self.chains(["L", "LP", "LT", "LX"])
        let said = Self.lost("P", "T", 1)
        let judged = LostDevices([said], chains: chains)
        let target = Self.device("T")
        #expect(judged.toTakeBack(for: target, by: Self.device("P")) == [said.id])
        #expect(judged.toTakeBack(for: target, by: Self.device("L")) == [said.id])
        #expect(judged.toTakeBack(for: target, by: nil) == [said.id])
        #expect(judged.toTakeBack(for: target, by: Self.device("X")) == nil)
        #expect(judged.toTakeBack(for: target, by: target) == nil)
        let found = Self.statement("P", .found([said.id]), 2)
        #expect(Self.letters(LostDevices([found, said], chains: chains)).isEmpty)
        // To say it again is another statement.
        let again = Self.lost("P", "T", 3)
        #expect(Self.letters(LostDevices([again, found, said], chains: chains)) == "T")
    }

    @Test(
        "what a lost device let in is lost with it, but what is kept, and what it said does not count"
    )
    func letIn() {
        let chains = Self.chains(["L", "LT", "LTN", "LTP"])
        let judged = LostDevices([Self.lost("L", "T", 1, keeps: "P")], chains: chains)
        #expect(Self.letters(judged) == "TN")
        #expect(judged.through(Self.device("T")) == [Self.device("N"), Self.device("P")])
        let before = Self.lost("T", "P", 2)
        let silenced = LostDevices([Self.lost("L", "T", 1, keeps: "P"), before], chains: chains)
        #expect(Self.letters(silenced) == "TN")
        let upheld = LostDevices(
            [Self.lost("L", "T", 1, keeps: "P", upholds: [before.id]), before], chains: chains)
        #expect(Self.letters(upheld) == "PTN")
    }

    @Test("a device that is lost with others names the first of its chain that is called lost")
    func elder() {
        // given
        let chains = Self.chains(["L", "LT", "LTN", "LTNP"])
        // when
        let one = LostDevices([Self.lost("L", "T", 1)], chains: chains)
        let both = LostDevices(
            [Self.lost("L", "N", 1), Self.lost("L", "T", 2, keeps: "P")], chains: chains)
        // then
        #expect(Self.letters(one) == "PTN")
        #expect(
            "LTNP".map { one.elder(losing: Self.device($0)) } == [nil, nil] + "TT".map(Self.device))
        #expect(both.elder(losing: Self.device("P")) == Self.device("N"))
        #expect(both.elder(losing: Self.device("N")) == nil)
        // It is kept, but not the one that let it in.
        let kept = LostDevices([Self.lost("L", "T", 1, keeps: "P")], chains: chains)
        #expect(Self.letters(kept) == "PTN")
        #expect(kept.elder(losing: Self.device("P")) == Self.device("T"))
    }

    @Test("of too many statements those are kept that decide")
    func tooMany() {
        let chains = Self.chains(["L", "LP", "LT"])
        let deciding = Self.lost("L", "T", 1)
        let moot = Self.lost("P", "T", 2)
        let back = Self.statement("P", .found([moot.id]), 3)
        let junior = Self.lost("T", "P", 4)
        let order = LostDevices([junior, back, moot, deciding], chains: chains).keepingOrder
        #expect(order.prefix(2) == [deciding.id, junior.id])
        #expect(Set(order.suffix(2)) == [moot.id, back.id])
    }
}
