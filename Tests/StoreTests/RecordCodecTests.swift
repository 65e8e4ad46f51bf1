import Store
import SyncCore
import TestKit
import Testing

@Suite struct RecordCodecTests {
    private func id(_ byte: UInt8) -> Bytes32 {
        Bytes32([UInt8](repeating: byte, count: 32)) ?? .zero
    }

    private func write(_ commit: UInt8, _ index: UInt32, _ value: Value) -> SurvivingWrite {
        let incarnation = Bytes16([UInt8](repeating: 9, count: 16)) ?? .zero
        return SurvivingWrite(
            id: WriteID(commit: CommitID(id(commit)), index: index),
            log: LogID(device: DeviceID(id(commit % 2)), incarnation: incarnation),
            sequence: 300 + UInt64(commit), clock: HybridTime(raw: 0x0102_0304_0506_0708),
            precedence: 1, value: value)
    }

    private var every: RecordState {
        let values: [Value] = [
            .null, .text("Grüße 👋"), .integer(-5), .decimal("3.90"), .boolean(true),
            .boolean(false), .time(TimeValue(milliseconds: -1, offsetMinutes: -90)),
            .time(TimeValue(milliseconds: 7, offsetMinutes: nil)),
            .position(PositionValue(latitude: 48.2, longitude: -0.0, radiusMetres: 3)),
            .json("{}"), .blob(BlobID(id(3))), .reference(RecordID(.zero)), .unknown([1, 2]),
        ]
        var fields: [String: Register] = [:]
        for (index, value) in values.enumerated() {
            fields["f\(index)"] = Register([write(UInt8(index + 1), UInt32(index), value)])
        }
        fields[Write.existence] = Register([
            write(1, 90, .boolean(true)), write(2, 70_000, .boolean(false)),
        ])
        let elements: [Value: Register] = [
            .text("Meer"): Register([write(4, 1, .boolean(true))]),
            .text("Berg"): Register([write(5, 1, .boolean(false)), write(6, 2, .boolean(true))]),
        ]
        let merged = [
            "f1": MergeText.Result(value: .text("Grüße 👋 zwei"), isOverlapping: true),
            "f0": MergeText.Result(value: .text(""), isOverlapping: false),
        ]
        return RecordState(
            fields: fields, sets: ["tags": elements], merged: merged,
            hiddenEdits: [WriteID(commit: CommitID(id(3)), index: 2)])
    }

    @Test("every kind of value comes back as it was")
    func roundTrip() throws {
        #expect(try RecordCodec.decode(RecordCodec.encode(every)) == every)
        #expect(try RecordCodec.decode(RecordCodec.encode(RecordState())) == RecordState())
    }

    @Test("the format is the one that stores on disk have")
    func golden() throws {
        let state = RecordState(fields: ["title": Register([write(2, 1, .text("é"))])])
        let expected =
            "02" + "01" + String(repeating: "00", count: 32) + String(repeating: "09", count: 16)
            + "01" + String(repeating: "02", count: 32) + "00" + "ae02" + "0102030405060708"
            + "01" + "057469746c65" + "01" + "00" + "01" + "01" + "0301c3a9" + "00"
            + "00" + "00"
        #expect(hexadecimal(RecordCodec.encode(state)) == expected)
        #expect(sha256(RecordCodec.encode(every)).bytes.prefix(8) == goldenHash[...])
    }

    private let goldenHash: [UInt8] = [103, 42, 35, 84, 30, 112, 52, 93]

    @Test("bytes that end early, go on too long or are changed are refused, never trapped on")
    func malformed() throws {
        let bytes = RecordCodec.encode(every)
        for length in bytes.indices {
            #expect(throws: RecordCodec.Malformed.self) {
                try RecordCodec.decode(Array(bytes.prefix(length)))
            }
        }
        #expect(throws: RecordCodec.Malformed.self) { try RecordCodec.decode(bytes + [0]) }
        var random = SeededGenerator(seed: TestSeeds.first)
        var refused = 0
        for _ in 0..<4000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<changed.count, using: &random)
                changed[place] = UInt8.random(in: 0...255, using: &random)
            }
            if (try? RecordCodec.decode(changed)) == nil { refused += 1 }
        }
        #expect(refused > 200)
    }
}
