import SyncCore
import TestKit
import Wire

/// Random well-formed values, with the edges of every range among them.
struct RandomValues {
    var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    // MARK: Simple things

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
    mutating func flag() -> Bool { Bool.random(using: &generator) }

    mutating func number(upTo limit: UInt64 = UInt64(Int64.max)) -> UInt64 {
        switch below(4) {
        case 0: 0
        case 1: limit
        default: UInt64.random(in: 0...limit, using: &generator)
        }
    }

    mutating func index() -> UInt32 { UInt32(number(upTo: UInt64(UInt32.max))) }
    mutating func hash() -> Bytes32 { Bytes32(bytes(32)) ?? .zero }
    mutating func short() -> Bytes16 { Bytes16(bytes(16)) ?? .zero }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    mutating func text(_ scalars: Int = 20) -> String {
        let alphabet = Array("aé 0\u{301}🏔\u{0}\"\\ßЖ日\u{200D}".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<below(scalars + 1) {
            text.append(alphabet[below(alphabet.count)])
        }
        return String(text)
    }

    mutating func list<Element>(
        _ limit: Int, _ make: (inout RandomValues) -> Element
    ) -> [Element] {
        (0..<below(limit + 1)).map { _ in make(&self) }
    }

    mutating func maybe<Element>(_ make: (inout RandomValues) -> Element) -> Element? {
        flag() ? make(&self) : nil
    }

    // MARK: Logs

    mutating func position() -> LogPosition {
        LogPosition(
            log: LogID(device: DeviceID(hash()), incarnation: short()),
            head: LogHead(
                sequence: max(1, number(upTo: Limits.sequence)), commit: CommitID(hash())))
    }

    mutating func reference() -> FactReference {
        FactReference(commit: CommitID(hash()), index: index())
    }

    mutating func header() -> CommitHeader {
        CommitHeader(
            space: SpaceID(hash()), log: position().log,
            sequence: 2 + number(upTo: Limits.sequence - 2), previous: CommitID(hash()),
            clock: HybridTime(raw: number()), seen: list(4) { $0.position() },
            grant: reference(), schema: SchemaID(hash()), schemaVersion: index(),
            following: UInt32(below(Limits.commitsOfGroup)), clearHash: hash(),
            operationsHash: hash())
    }

    // MARK: Operations

    mutating func value() -> Value {
        switch below(11) {
        case 0: .null
        case 1: .text(text())
        case 2: .integer(Int64(bitPattern: generator.next()))
        case 3: .decimal(text(4))
        case 4: .boolean(flag())
        case 5:
            .time(
                TimeValue(
                    milliseconds: Int64(bitPattern: generator.next()),
                    offsetMinutes: maybe { Int32(truncatingIfNeeded: $0.generator.next()) }))
        case 6:
            .position(
                PositionValue(
                    latitude: double(), longitude: double(), radiusMetres: maybe { $0.double() },
                    altitudeMetres: maybe { $0.double() }))
        case 7: .json(text())
        case 8: .blob(BlobID(hash()))
        case 9: .reference(RecordID(short()))
        default:
            .unknown(
                ProtobufFields().appending(11 + below(500), .bytes(bytes(below(9)))).serialized)
        }
    }

    private mutating func double() -> Double { Double(bitPattern: generator.next()) }

    mutating func operations() -> [RecordOperation] {
        list(5) { values in
            RecordOperation(
                collection: values.text(8), record: RecordID(values.short()),
                writes: [values.write()] + values.list(4) { $0.write() })
        }
    }

    private mutating func write() -> Write {
        Write(
            field: text(8), element: maybe { $0.value() }, value: value(),
            replaces: maybe { values in
                values.list(3) { WriteID(commit: CommitID($0.hash()), index: $0.index()) }
            },
            precedence: index())
    }
}
