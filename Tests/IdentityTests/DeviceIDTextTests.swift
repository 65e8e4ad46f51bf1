import Identity
import SyncCore
import TestKit
import Testing

@Suite("Device IDs as text")
struct DeviceIDTextTests {
    /// The device ID that Syncthing's documentation of the format uses, and the hash it spells.
    private let text = "P56IOI7-MZJNU2Y-IQGDREY-DM2MGTI-MGL3BXN-PQ6W5BM-TBBZ4TJ-XZWICQ2"
    private let hash = "7f7c8723ecca5b4d22061c4981b34c34d865ec376be1eb74330873c9a6f9b205"

    private func device() throws -> DeviceID {
        try #require(bytes(hexadecimal: hash).flatMap { DeviceID(bytes: $0) })
    }

    @Test("A hash is shown in eight groups of seven with a check character after each 13")
    func golden() throws {
        #expect(DeviceIDText.text(of: try device()) == text)
        #expect(DeviceIDText.short(of: try device()) == "P56IOI7")
        let counting = try #require(DeviceID(bytes: Array(0..<32)))
        #expect(
            DeviceIDText.text(of: counting)
                == "AAAQEAY-EAUDAOB-CAJBIFQ-YDIOB4B-IBCEQTC-QKRMFYX-YDENBWH-A5DYPQG")
    }

    @Test(
        "What people type is understood",
        arguments: [
            "P56IOI7-MZJNU2Y-IQGDREY-DM2MGTI-MGL3BXN-PQ6W5BM-TBBZ4TJ-XZWICQ2",
            "p56ioi7-mzjnu2y-iqgdrey-dm2mgti-mgl3bxn-pq6w5bm-tbbz4tj-xzwicq2",
            "P56IOI7MZJNU2YIQGDREYDM2MGTIMGL3BXNPQ6W5BMTBBZ4TJXZWICQ2",
            "  P56IOI7 MZJNU2Y IQGDREY DM2MGTI MGL3BXN PQ6W5BM TBBZ4TJ XZWICQ2\n",
            "P561017-MZJNU2Y-IQGDREY-DM2MGTI-MGL3BXN-PQ6W58M-T88Z4TJ-XZWICQ2",
            "P56IOI7–MZJNU2Y–IQGDREY–DM2MGTI–MGL3BXN–PQ6W5BM–TBBZ4TJ–XZWICQ2",
        ])
    func tolerant(typed: String) throws {
        #expect(try DeviceIDText.parse(typed) == device())
    }

    @Test("A slip is named")
    func errors() {
        let cases: [(String, DeviceIDTextError)] = [
            ("", .wrongLength(0)),
            (String(text.dropLast()), .wrongLength(55)),
            (text + "A", .wrongLength(57)),
            (text.replacing("P56", with: "P59"), .unexpectedCharacter("9")),
            (text.replacing("P56", with: "Pé6"), .unexpectedCharacter("é")),
            (text.replacing("P56IOI7", with: "P56IOJ7"), .mistyped(pair: 1)),
            (text.replacing("MGL3BXN", with: "MGL3BXM"), .mistyped(pair: 3)),
            (text.replacing("XZWICQ2", with: "XZWICQ3"), .mistyped(pair: 4)),
        ]
        for (typed, expected) in cases {
            #expect(throws: expected, "\(typed)") { try DeviceIDText.parse(typed) }
        }
    }

    @Test("A last character that spells more than 32 bytes is refused, its check character right")
    func spareBits() throws {
        // Given the text of all zeros, but the last data character B: one of the four spare bits
        // is set. Its place in the block counts once, so the check character is 32 - 1.
        let zeros = DeviceIDText.text(of: .zero).replacing("-", with: "")
        let typed = zeros.dropLast(2) + "B7"
        #expect(throws: DeviceIDTextError.impossible) { try DeviceIDText.parse(typed) }
    }

    @Test("A very long text is refused without being read to its end")
    func longText() {
        let typed = String(repeating: "A", count: 1_000_000)
        #expect(throws: DeviceIDTextError.wrongLength(224)) { try DeviceIDText.parse(typed) }
    }

    @Test("Every text reads back as the device it was made from")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: TestSeeds.first)
        for _ in 0..<200 {
            let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let device = try #require(DeviceID(bytes: bytes))
            #expect(try DeviceIDText.parse(DeviceIDText.text(of: device)) == device)
        }
    }
}
