import Identity
import SyncCore
import TestKit
import Testing

@Suite("Pairing codes and links")
struct PairingCodeTests {
    @Test(
        "What people type is understood",
        arguments: [
            "7-4827-1956", "748271956", "7 4827 1956", " 7-48271956 ", "7–4827–1956",
            "7-48 27-19 56",
        ])
    func tolerant(typed: String) throws {
        let code = try PairingCode(parsing: typed)
        #expect(code.nameplate == "7")
        #expect(code.digits == "48271956")
        #expect(code.text == "7-4827-1956")
    }

    @Test("What is no code is refused with the reason")
    func errors() {
        let cases: [(String, PairingCodeError)] = [
            ("", .wrongDigitCount(0)),
            ("48271956", .wrongDigitCount(8)),
            ("123-4827-1956", .wrongDigitCount(11)),
            ("0-4827-1956", .zeroNameplate),
            ("7-482x-1956", .unexpectedCharacter("x")),
            ("٧-4827-1956", .unexpectedCharacter("٧")),
            (String(repeating: "1", count: 1_000_000), .wrongDigitCount(100)),
        ]
        for (typed, expected) in cases {
            #expect(throws: expected, "\(typed.prefix(20))") { try PairingCode(parsing: typed) }
        }
    }

    @Test("A nameplate is any that is not taken, and any at all when all are")
    func otherNameplate() {
        var generator = SeededGenerator(seed: TestSeeds.first)
        let all = Set((1...99).map { String($0) })
        let free: (Set<String>) -> Set<String> = { taken in
            Set((0..<2_000).map { _ in PairingCode.nameplate(random: &generator, except: taken) })
        }
        #expect(free(["42", "7"]) == all.subtracting(["42", "7"]))
        #expect(free(all.subtracting(["9"])) == ["9"])
        #expect(free(all) == all)
    }

    @Test("New codes read back as themselves and reach every leading digit and nameplate")
    func generated() throws {
        var generator = SeededGenerator(seed: TestSeeds.first)
        var leading: Set<Character> = []
        var nameplates: Set<String> = []
        for _ in 0..<3000 {
            let nameplate = PairingCode.nameplate(random: &generator)
            let code = PairingCode(random: &generator, nameplate: nameplate)
            #expect(try PairingCode(parsing: code.text) == code)
            #expect(code.digits.count == 8)
            leading.formUnion(code.digits.first.map { [$0] } ?? [])
            nameplates.insert(code.nameplate)
        }
        #expect(leading.count == 10)
        #expect(nameplates.count == 99)
    }

    @Test(
        "A link reads back as itself, whatever kind of address it has",
        arguments: [
            "laptop.local", "192.168.1.20", "fe80::1%eth0", "2001:db8::7", "::1", "fe80::1%25x",
        ])
    func links(host: String) throws {
        var generator = SeededGenerator(seed: TestSeeds.first)
        let link = try PairingLink(
            host: host, port: 47_200, device: DeviceKeys.generate().device,
            secret: Bytes16(random: &generator))
        #expect(try PairingLink(parsing: link.text) == link)
        #expect(try PairingLink(parsing: link.text + "&later=1") == link)
    }

    @Test("A link has the form that is documented")
    func form() throws {
        let secret = try #require(Bytes16([UInt8](repeating: 255, count: 16)))
        let link = try PairingLink(host: "fe80::1%eth0", port: 5, device: .zero, secret: secret)
        #expect(
            link.text
                == "peersync:pair?at=[fe80::1%25eth0]:5&device=\(DeviceIDText.text(of: .zero))"
                + "&secret=77777777777777777777777774")
    }

    @Test("What is no link is refused with the reason")
    func linkErrors() throws {
        let device = DeviceIDText.text(of: .zero)
        let secret = "AAAAAAAAAAAAAAAAAAAAAAAAAA"
        let start = "peersync:pair?"
        let rest = "&device=\(device)&secret=\(secret)"
        let cases: [(String, PairingLinkError)] = [
            ("", .notAPairingLink),
            ("https://example.org", .notAPairingLink),
            ("\(start)at=a:1\(rest)&x=" + String(repeating: "x", count: 600), .notAPairingLink),
            ("\(start)at=ä:1\(rest)", .notAPairingLink),
            ("\(start)device=\(device)&secret=\(secret)", .missingOrRepeated("at")),
            ("\(start)at=a:1&at=b:1\(rest)", .missingOrRepeated("at")),
            ("\(start)at=a:1&device=\(device)", .missingOrRepeated("secret")),
            ("\(start)at=a\(rest)", .badAddress),
            ("\(start)at=a:0\(rest)", .badAddress),
            ("\(start)at=a:65536\(rest)", .badAddress),
            ("\(start)at=:1\(rest)", .badAddress),
            ("\(start)at=fe80::1:1\(rest)", .badAddress),
            ("\(start)at=[a]:1\(rest)", .badAddress),
            ("\(start)at=a b:1\(rest)", .badAddress),
            ("\(start)at=[fe80::1%25]:1\(rest)", .badAddress),
            ("\(start)at=[::1%eth0;reboot]:1\(rest)", .badAddress),
            ("\(start)at=a:1&device=AAAA&secret=\(secret)", .badDevice(.wrongLength(4))),
            ("\(start)at=a:1&device=\(device)&secret=\(secret)A", .badSecret),
            ("\(start)at=a:1&device=\(device)&secret=\(secret.dropLast())B", .badSecret),
        ]
        for (text, expected) in cases {
            do {
                _ = try PairingLink(parsing: text)
                Issue.record("taken: \(text)")
            } catch {
                #expect(error == expected, "\(text)")
            }
        }
    }
}
