import SyncCore
import Testing

/// L is the owner's laptop and P their phone; T is a device that a thief let in with the recovery key.
@Suite("Lost devices, when the recovery key is exchanged")
struct LostDevicesKeyTests {
    private static let (first, second, evil) = (Bytes32.zero, key(2), key(6))

    private static func key(_ number: UInt8) -> Bytes32 { sha256([number]) }

    private static func device(_ letter: Character) -> DeviceID {
        DeviceID(sha256(Array("device \(letter)".utf8)))
    }

    private static func chain(_ key: Bytes32, _ letters: String) -> DeviceChain {
        DeviceChain(key: key, letters.map(device))
    }

    private static let chains = [chain(first, "L"), chain(first, "LP"), chain(first, "T")]

    /// `by` is nil for a key, the first one where none is named.
    private static func statement(
        _ by: Character?, _ subject: LossStatement.Subject, _ number: UInt8, key: Bytes32? = nil
    ) -> VerifiedLossStatement {
        let said = LossStatement(
            personKey: first, key: key, signer: by.map(device), nonce: .zero, subject: subject)
        return VerifiedLossStatement(
            verified: UnverifiedLossStatement(said, bytes: [number], signature: [], cards: []))
    }

    private static func exchange(
        _ by: Character, to new: Bytes32, from old: Bytes32 = first, keeps: String = "L",
        upholds: [LossID] = [], _ number: UInt8
    ) -> VerifiedLossStatement {
        let said = KeyExchange(
            personKey: first, oldKey: old, newKey: new,
            upholds: upholds.map { StatementID($0.value) }, keeps: keeps.map(device))
        return statement(
            by,
            .exchanged(
                UnverifiedKeyExchange(said, bytes: [number], oldSignature: [], newSignature: [])),
            number)
    }

    private static func letters(_ judged: LostDevices) -> String {
        "LPT".filter { judged.isLost(device($0)) }
    }

    private func judged(
        _ statements: [VerifiedLossStatement], granted: String = "LP",
        chains: [DeviceChain] = chains
    ) -> LostDevices {
        let granted = Set(granted.map(Self.device))
        let there = LostDevices(statements, chains: chains, granted: granted)
        let back = LostDevices(statements.reversed(), chains: chains, granted: granted)
        #expect(Self.letters(there) == Self.letters(back))
        #expect(there.exchanges == back.exchanges)
        return there
    }

    @Test("the old key says no more who is lost, and what it alone let in is lost")
    func exchanged() {
        let stolen = Self.statement(nil, .lost(Self.device("L"), upholds: [], keeps: []), 1)
        #expect(Self.letters(judged([stolen])) == "LP")
        let judged = judged([stolen, Self.exchange("L", to: Self.second, 2)])
        #expect(Self.letters(judged) == "T")
        #expect(judged.losses[Self.device("T")]?.isBySenior == true)
        #expect(judged.exchanges.map(\.said.newKey) == [Self.second])
        // The new one does.
        let byNew = Self.statement(
            nil, .lost(Self.device("P"), upholds: [], keeps: []), 3, key: Self.second)
        let later = [stolen, Self.exchange("L", to: Self.second, 2), byNew]
        #expect(Self.letters(self.judged(later)) == "PT")
        #expect(Self.letters(self.judged([byNew])) == "", "before the exchange it is nobody's")
    }

    @Test("an upheld statement goes on, and a device that came in under the new key stays")
    func upheld() {
        let byOld = Self.statement(nil, .lost(Self.device("P"), upholds: [], keeps: []), 1)
        let exchange = Self.exchange("L", to: Self.second, upholds: [byOld.id], 2)
        #expect(Self.letters(judged([byOld, exchange])) == "PT")
        let later = Self.chains + [Self.chain(Self.second, "T")]
        #expect(Self.letters(judged([exchange], chains: later)) == "")
    }

    @Test("a thief who has the key alone is overruled, also when the thief comes first")
    func thief() {
        let mine = Self.exchange("L", to: Self.second, 1)
        let evil = Self.exchange("T", to: Self.evil, keeps: "T", 2)
        let byEvil = Self.statement(
            nil, .lost(Self.device("L"), upholds: [], keeps: []), 3, key: Self.evil)
        #expect(judged([mine, evil, byEvil]).exchanges.map(\.said.newKey) == [Self.second])
        #expect(Self.letters(judged([mine, evil, byEvil])) == "T")
        // A younger device that members let in does as well.
        let byPhone = Self.exchange("P", to: Self.second, 4)
        #expect(Self.letters(judged([byPhone, evil, byEvil])) == "T")
        // Where nobody let either in, it stays open, and is told.
        let open = judged([mine, evil], granted: "")
        #expect(open.exchanges.isEmpty && open.keyRivals.count == 2)
    }

    @Test("keys go on one after the other, and none comes back")
    func again() {
        let third = Self.key(3)
        let all = [
            Self.exchange("L", to: Self.second, 1),
            Self.exchange("L", to: third, from: Self.second, 2),
            Self.exchange("L", to: Self.first, from: third, 3),
            Self.exchange("L", to: Self.second, from: third, 4),
        ]
        #expect(judged(all).exchanges.map(\.said.newKey) == [Self.second, third])
    }
}
