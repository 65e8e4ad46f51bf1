import Records
import SyncCore
import Testing

@Suite("Devices that were set up again")
struct ReplacementTests {
    private func device(
        _ number: UInt8, _ name: String = "ben-pc", of person: String = "Ben", paired: UInt64?,
        seen: UInt64? = nil
    ) -> KnownDevice {
        let key = sha256([number])
        let content = CardContent(signingKey: key, agreementKey: key, personKey: key)
        let card = UnverifiedCard(links: [], encoded: [])
        return KnownDevice(
            card: Card(verified: card, content: content), name: name, personName: person,
            pairedAt: paired.map { Milliseconds($0) },
            addresses: [], lastSync: seen.map { Milliseconds($0) }, clockSkewMilliseconds: nil)
    }

    private func successors(_ devices: [KnownDevice], connected: [KnownDevice] = []) -> [Int: Int] {
        let found = Replacements(
            among: devices, connected: Set(connected.map(\.card.device))
        ).successors
        func place(_ id: DeviceID) -> Int? { devices.firstIndex { $0.card.device == id } }
        return Dictionary(
            found.compactMap { former, today in
                place(former).flatMap { former in place(today).map { (former, $0) } }
            }
        ) { $1 }
    }

    @Test("One that was not seen since another of its name was paired is replaced by that one")
    func replaced() {
        let (first, second) = (device(1, paired: 10, seen: 50), device(2, "BEN-PC", paired: 60))
        #expect(successors([first, second]) == [0: 1])
        #expect(successors([second, first]) == [1: 0])
        #expect(successors([first, second, device(3, paired: 70)]) == [0: 2, 1: 2])
    }

    @Test("Two that are both in use, or differ in a name, are two")
    func both() {
        let first = device(1, paired: 10, seen: 50)
        #expect(successors([first, device(2, paired: 40)]).isEmpty)
        #expect(successors([first, device(2, paired: 60)], connected: [first]).isEmpty)
        #expect(successors([first, device(2, "ben-phone", paired: 60)]).isEmpty)
        #expect(successors([first, device(2, of: "Cleo", paired: 60)]).isEmpty)
        #expect(successors([first, device(2, paired: nil)]).isEmpty)
    }
}
