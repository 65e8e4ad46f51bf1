import SyncCore
import Testing

@Suite struct ValueTests {
    @Test("A label's framing is its text, a zero byte and the message")
    func framing() {
        #expect(Label.commit.framing([1, 2]) == Array("peersync commit v1".utf8) + [0, 1, 2])
        // printf 'peersync commit v1\0abc' | sha256sum
        #expect(
            hexadecimal(Label.commit.hash(Array("abc".utf8)).bytes)
                == "c79159bdf19bea7b4a4dc3ef90ba6d6d8fe7901a495a2752258ef4681d17bfed")
    }

    @Test("No label is the start of another, so no message counts for two purposes")
    func labelsApart() {
        for one in Label.allCases {
            for other in Label.allCases where one != other {
                #expect(!other.framing([]).starts(with: one.framing([])))
            }
        }
    }

    @Test("Texts that look alike are different values when their bytes differ")
    func normalForms() {
        let composed = "caf\u{E9}"
        let decomposed = "cafe\u{301}"
        #expect(composed == decomposed)
        for make in [Value.text, Value.decimal, Value.json] {
            #expect(make(composed) != make(decomposed))
            #expect(make(composed) == make(composed))
            #expect(Set([make(composed), make(decomposed)]).count == 2)
        }
    }

    @Test("Different values have different canonical bytes, equal ones the same")
    func canonicalBytes() {
        let values: [Value] = [
            .null, .text(""), .text("1"), .integer(1), .integer(-1), .decimal("1"),
            .decimal("1.0"), .boolean(true), .boolean(false),
            .time(TimeValue(milliseconds: 1, offsetMinutes: nil)),
            .time(TimeValue(milliseconds: 1, offsetMinutes: 0)),
            .time(TimeValue(milliseconds: 1, offsetMinutes: -60)),
            .position(PositionValue(latitude: 0, longitude: 0)),
            .position(PositionValue(latitude: -0.0, longitude: 0)),
            .position(PositionValue(latitude: 0, longitude: 0, radiusMetres: 1)),
            .position(PositionValue(latitude: 0, longitude: 0, altitudeMetres: 1)),
            .json("1"), .blob(BlobID(sha256([1]))), .reference(RecordID(1)), .unknown([1]),
            .unknown([]),
        ]
        for (index, one) in values.enumerated() {
            for (place, other) in values.enumerated() {
                #expect((one == other) == (index == place))
                #expect((one.canonicalBytes == other.canonicalBytes) == (index == place))
            }
        }
    }

    @Test("A position that is not a number equals itself")
    func notANumber() {
        let value = Value.position(PositionValue(latitude: .nan, longitude: 0))
        #expect(value == value)
        #expect(!FieldType.position.admits(value))
    }

    @Test("A field admits its own kind and null, and nothing else")
    func admits() {
        let admitted: [(FieldType, Value)] = [
            (.text, .text("a")), (.integer, .integer(1)), (.decimal, .decimal("3.90")),
            (.boolean, .boolean(true)), (.json, .json("{}")),
            (.time, .time(TimeValue(milliseconds: 0, offsetMinutes: nil))),
            (.position, .position(PositionValue(latitude: -90, longitude: 180))),
            (.blob(.original), .blob(BlobID(sha256([1])))),
            (.reference(collection: "tag", onDelete: .detach), .reference(RecordID(1))),
        ]
        for (index, (type, value)) in admitted.enumerated() {
            #expect(type.admits(.null))
            for (place, (_, other)) in admitted.enumerated() {
                #expect(type.admits(other) == (index == place))
            }
            #expect(FieldType.set(of: type).admits(value))
            #expect(!FieldType.set(of: type).admits(.null))
        }
        #expect(!FieldType.position.admits(.position(PositionValue(latitude: 91, longitude: 0))))
        #expect(!FieldType.position.admits(.position(PositionValue(latitude: 0, longitude: -181))))
        #expect(!FieldType.text.admits(.unknown([1])))
    }

    @Test(
        "Deleting and renaming take the delete flag; everything else, restoring too, the write flag"
    )
    func requiredFlagsOfOperations() {
        let space = SpaceID(sha256([1]))
        func required(_ operations: RecordOperation...) -> Permissions {
            requiredFlags(of: operations, in: space, by: nil)
        }
        #expect(required() == [])
        #expect(required(RecordOperation(1, [title("a")])) == .write)
        #expect(required(RecordOperation(1, [.deletion(true)])) == .delete)
        #expect(required(RecordOperation(1, [.deletion(false)])) == .write)
        #expect(
            required(RecordOperation(1, [.deletion(true)]), RecordOperation(2, [title("")]))
                == [.write, .delete])
        for collection in ["trip", Schema.spaceProfile, "memory"] {
            let key = RecordKey(
                collection: collection,
                record: .derived(space: space, collection: collection, source: []))
            let name = Write(field: "name", value: .text("a"))
            func required(_ write: Write) -> Permissions {
                requiredFlags(
                    of: [
                        RecordOperation(
                            collection: key.collection, record: key.record, writes: [write])
                    ], in: space, by: nil)
            }
            #expect(required(name) == (collection == "memory" ? .write : .delete))
            #expect(required(.deletion(true)) == .delete)
            #expect(required(.deletion(false)) == .write)
        }
    }

    @Test("What a person made they delete with the write flag, in its space alone")
    func ownRecords() {
        let (space, other) = (SpaceID(sha256([1])), SpaceID(sha256([2])))
        let (anna, ben) = (PersonID(sha256([3])), PersonID(sha256([4])))
        let record = RecordID.made(by: anna, in: space, from: [1, 2, 3, 4, 5, 6, 7, 8, 9])
        #expect(hexadecimal(record.bytes) == "01020304050607085088e867331a472c")
        #expect(record.isMade(by: anna, in: space))
        #expect(!record.isMade(by: ben, in: space) && !record.isMade(by: anna, in: other))
        let deletion = RecordOperation(
            collection: "memory", record: record, writes: [.deletion(true)])
        #expect(requiredFlags(of: [deletion], in: space, by: anna) == .write)
        #expect(requiredFlags(of: [deletion], in: space, by: ben) == .delete)
        #expect(requiredFlags(of: [deletion], in: space, by: nil) == .delete)
        #expect(requiredFlags(of: [deletion], in: other, by: anna) == .delete)
    }

    @Test("A key directory finds keys by the device they make")
    func keyDirectory() {
        let device = TestDevice(1, person: 1)
        var keys = KeyDirectory()
        #expect(keys[device.id] == nil)
        keys.add(device.unverifiedCard)
        #expect(keys[device.id] == device.card.content.signingKey)
        var others = KeyDirectory()
        others.add(TestDevice(2, person: 2).unverifiedCard)
        others.merge(keys)
        #expect(others[device.id] == device.card.content.signingKey)
        #expect(others[TestDevice(2, person: 2).id] != nil)
    }
}
