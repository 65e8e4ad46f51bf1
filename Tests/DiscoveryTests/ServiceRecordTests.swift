import Discovery
import Testing

@Suite("Service record")
struct ServiceRecordTests {
    private func parse(_ strings: String...) throws(ServiceRecordError) -> ServiceRecord {
        try ServiceRecord(parsing: strings.map { Array($0.utf8) })
    }

    @Test("a published record is read back")
    func roundTrip() throws {
        for nameplate in [nil, "7", "42"] {
            let record = try ServiceRecord(protocolVersion: 1, nameplate: nameplate)
            let read = try ServiceRecord(parsing: record.strings.map { Array($0.utf8) })
            #expect(read == record)
        }
        let open = try ServiceRecord(protocolVersion: 1, nameplate: "7")
        #expect(open.strings == ["v=1", "pn=7"])
    }

    @Test("keys are compared without case, and the first of equal keys counts")
    func keys() throws {
        let record = try parse("V=2", "v=9", "PN=8", "pn=x")
        #expect(record.protocolVersion == 2)
        #expect(record.nameplate == "8")
    }

    @Test("unknown keys, empty strings and strings without a valid key are skipped")
    func unknown() throws {
        let record = try parse("", "=v", "name=Ann", "flag", "v\u{7F}=3", "ü=1", "v=1")
        #expect(record == (try ServiceRecord(protocolVersion: 1, nameplate: nil)))
    }

    @Test("a record without version is not ours")
    func noVersion() {
        #expect(throws: ServiceRecordError.noVersion) { try parse("pn=7") }
        #expect(throws: ServiceRecordError.noVersion) { try parse() }
    }

    @Test(
        "a version is a plain number from 1 to 65535",
        arguments: ["v", "v=", "v=0", "v=01", "v=+1", "v=-1", "v= 1", "v=65536", "v=1.0", "v=١"])
    func version(_ string: String) {
        #expect(throws: ServiceRecordError.malformedVersion) { try parse(string) }
    }

    @Test(
        "a nameplate is one to four digits",
        arguments: ["pn", "pn=", "pn=12345", "pn=a", "pn=1\u{0}", "pn=-1", "pn=\u{1B}[2J"])
    func nameplate(_ string: String) {
        #expect(throws: ServiceRecordError.malformedNameplate) { try parse("v=1", string) }
    }

    @Test("a record that could not be read back cannot be made")
    func invalid() {
        #expect(throws: ServiceRecordError.malformedVersion) {
            try ServiceRecord(protocolVersion: 0, nameplate: nil)
        }
        #expect(throws: ServiceRecordError.malformedNameplate) {
            try ServiceRecord(protocolVersion: 1, nameplate: "7;")
        }
    }

    @Test("too many strings or bytes are refused, whatever they contain")
    func tooLarge() {
        let many = Array(repeating: Array("a=1".utf8), count: 64) + [Array("v=1".utf8)]
        let long = Array(repeating: [UInt8](repeating: 0x61, count: 255), count: 6)
        for strings in [many, long] {
            #expect(throws: ServiceRecordError.tooLarge) { try ServiceRecord(parsing: strings) }
        }
    }

    @Test("arbitrary bytes are read or refused, never more")
    func arbitrary() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let strings = (0..<Int.random(in: 0...4)).map { _ in
                Array("vpn=1".utf8.shuffled(using: &generator).prefix(Int.random(in: 0...5)))
                    + (0..<Int.random(in: 0...2)).map { _ in UInt8.random(in: 0...255) }
            }
            guard let record = try? ServiceRecord(parsing: strings) else { continue }
            #expect((1...65535).contains(record.protocolVersion))
            #expect(record.nameplate?.utf8.allSatisfy { (0x30...0x39).contains($0) } ?? true)
        }
    }
}
