import SyncCore
import Testing

@Suite("Derived values")
struct DerivedTests {
    private func record(_ values: [String: Value]) -> ShownRecord {
        let state = RecordState(
            fields: values.mapValues { value in
                Register([
                    SurvivingWrite(
                        id: WriteID(commit: .zero, index: 0),
                        log: LogID(device: .zero, incarnation: .zero), sequence: 1,
                        clock: HybridTime(raw: 1), precedence: 1, value: value)
                ])
            })
        let fields = values.keys.sorted().map {
            FieldSchema(name: $0, type: .text, strategy: .lastWrite, isSearched: false)
        }
        let schema = Schema(
            id: .zero, name: "x", version: 1,
            collections: [CollectionSchema(name: "c", fields: fields)])
        guard let shown = schema.shown(state, in: "c") else {
            preconditionFailure("the collection is there")
        }
        return shown
    }

    private func derive(
        _ rule: DerivedField.Rule, _ values: [Value], at times: [Int64] = []
    ) -> Value {
        let entries = values.enumerated().map { index, value in
            var fields = ["v": value]
            if index < times.count {
                fields["at"] = .time(TimeValue(milliseconds: times[index], offsetMinutes: nil))
            }
            return (
                id: RecordID(Bytes16([UInt8](repeating: UInt8(index), count: 16)) ?? .zero),
                record: record(fields)
            )
        }
        let derived = DerivedField(
            name: "d", rule: rule, collection: "c", through: "r", field: "v", by: "at")
        let result = derived.value(over: entries)
        #expect(derived.value(over: entries.reversed()) == result, "order does not matter")
        return result
    }

    @Test("money adds up exactly, and keeps its digits")
    func sums() {
        #expect(derive(.sum, [.decimal("3.90"), .decimal("0.10")]) == .decimal("4.00"))
        #expect(derive(.sum, [.decimal("0.1"), .decimal("0.2")]) == .decimal("0.3"))
        #expect(derive(.sum, [.decimal("-1.5"), .integer(1)]) == .decimal("-0.5"))
        #expect(derive(.sum, [.integer(2), .integer(-5)]) == .integer(-3))
        #expect(
            derive(.sum, [.integer(.max), .integer(.max)]) == .decimal("18446744073709551614"))
        #expect(derive(.sum, []) == .null)
        #expect(derive(.sum, [.text("x"), .decimal("1e9")]) == .null)
    }

    @Test("the least and the greatest are by value, with the digits they were written with")
    func extremes() {
        let prices: [Value] = [.decimal("10"), .decimal("9.50"), .decimal("-0.5")]
        #expect(derive(.minimum, prices) == .decimal("-0.5"))
        #expect(derive(.maximum, prices) == .decimal("10"))
        #expect(derive(.minimum, [.decimal("3.9"), .decimal("3.90")]) == .decimal("3.9"))
        #expect(derive(.maximum, [.null]) == .null)
    }

    @Test("first and last are by another field; the count is of all")
    func edges() {
        let values: [Value] = [.text("b"), .text("a"), .text("c")]
        #expect(derive(.first, values, at: [20, 10, 30]) == .text("a"))
        #expect(derive(.last, values, at: [20, 10, 30]) == .text("c"))
        // One without a time is neither.
        #expect(derive(.last, values, at: [20, 10]) == .text("b"))
        #expect(derive(.count, values) == .integer(3))
    }

    @Test(
        "a decimal is digits with one point",
        arguments: ["", ".", "1.", ".5", "1e3", "0x1", "1,5", "--1", "٣"])
    func noDecimal(text: String) {
        #expect(ExactDecimal(text) == nil)
        #expect(!FieldType.decimal.admits(.decimal(text)))
    }
}
