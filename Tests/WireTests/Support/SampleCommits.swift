import SyncCore
import Wire

extension Sample {
    /// Every kind of value, a set element, an existence write and both forms of `replaces`.
    var operations: [RecordOperation] {
        let record = RecordID(bytes16(0x0C))
        let older = WriteID(commit: CommitID(bytes32(0x60)), index: 4)
        return [
            RecordOperation(
                collection: "memory", record: record,
                writes: [
                    Write(field: "title", value: .text("Grüße 🏔"), replaces: [older]),
                    Write(field: "weather", value: .null, replaces: []),
                    Write(field: "rating", value: .integer(-5)),
                    Write(field: "price", value: .decimal("3.90")),
                    Write(field: "favourite", value: .boolean(true)),
                    Write(field: "hidden", value: .boolean(false)),
                    Write(
                        field: "happened",
                        value: .time(TimeValue(milliseconds: -1, offsetMinutes: -120))),
                    Write(
                        field: "noted",
                        value: .time(TimeValue(milliseconds: 1_750_000_000_001, offsetMinutes: nil))
                    ),
                    Write(field: "place", value: .position(Sample.summit)),
                    Write(
                        field: "origin",
                        value: .position(PositionValue(latitude: 0, longitude: -0.0))),
                    Write(field: "extra", value: .json("{\"a\": 1}")),
                    Write(field: "photo", value: .blob(BlobID(bytes32(0xB1)))),
                    Write(field: "trip", value: .reference(RecordID(bytes16(0x0D)))),
                    Write(
                        field: "tags", element: .reference(RecordID(bytes16(0x0E))),
                        value: .boolean(true), precedence: Precedence.dataSet.rawValue),
                    // Field 15 of Value, of a version to come: kept as it is.
                    Write(field: "newer", value: .unknown([0x7A, 0x02, 0x68, 0x69])),
                ]),
            RecordOperation(
                collection: "tag", record: RecordID(bytes16(0x0F)), writes: [.deletion(true)]),
        ]
    }

    private static let summit = PositionValue(
        latitude: 47.0745, longitude: 12.6939, radiusMetres: 4.5, altitudeMetres: 3798)

    func dataCommit() throws -> UnverifiedCommit {
        var schema = Sample.schema
        schema.document = Array("collections: {}".utf8)
        let clear = ClearPart(
            blobs: [
                NamedBlob(blob: BlobID(bytes32(0xB1)), size: 4_200_000, kind: .original),
                NamedBlob(blob: BlobID(bytes32(0xB2)), size: 9_000, kind: .thumbnail),
                NamedBlob(blob: BlobID(bytes32(0xB3)), size: 0, kind: .track),
            ],
            schema: schema)
        let seen = [LogPosition(log: laptopLog, head: LogHead(sequence: 1, commit: genesis.id))]
        return try Sample.commit(
            header(of: phoneLog, seen: seen), clear: clear, operations: operations, by: phone)
    }

    /// Operations sealed under an epoch: bytes that only its members understand.
    func sealedCommit() throws -> EncodedCommit {
        try Sample.encodedCommit(
            header(of: phoneLog, epoch: CommitID(bytes32(0xEE))), clear: [],
            operations: [UInt8](repeating: 0x5E, count: 48), by: phone)
    }

    /// One that others of its group follow.
    func groupCommit() throws -> UnverifiedCommit {
        try Sample.commit(
            header(of: phoneLog, following: 2), clear: ClearPart(),
            operations: [
                RecordOperation(
                    collection: "memory", record: RecordID(bytes16(0x71)),
                    writes: [Write(field: "title", value: .text("One of many"))])
            ], by: phone)
    }

    func membershipCommit() throws -> UnverifiedCommit {
        try Sample.commit(
            header(of: laptopLog), clear: ClearPart(facts: try facts()), operations: [],
            by: laptop)
    }

    func redatingCommit() throws -> UnverifiedCommit {
        let redating = Redating(
            device: phone.device, span: 1_750_000_000_000...1_750_259_200_000,
            offsetMilliseconds: -172_800_000)
        return try Sample.commit(
            header(of: laptopLog), clear: ClearPart(facts: [.redating(redating)]), operations: [],
            by: laptop)
    }

    func requestCommit() throws -> UnverifiedCommit {
        let request = RightsRequest(person: PersonID(bytes32(0x33)), flags: [.delete])
        return try Sample.commit(
            header(of: phoneLog), clear: ClearPart(facts: [.request(request)]), operations: [],
            by: phone)
    }

    var grant: UnverifiedGrant {
        UnverifiedGrant(
            card: phoneCard, parent: founderGrant, flags: .all, siblingIndex: 1,
            precedence: Precedence.authority.rawValue)
    }

    var revocation: Revocation {
        Revocation(
            grant: FactReference(commit: CommitID(bytes32(0x61)), index: 7), remaining: [.read],
            cut: watermark, scope: .person, cascade: .samePerson)
    }

    /// Every kind of fact.
    func facts() throws -> [UnverifiedFact] {
        let epoch = EpochFact(
            recipient: "age1qyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqs3290gq",
            keys: [WrappedKey(device: phone.device, ageFile: Array("age-encryption.org/v1".utf8))],
            covers: [FactReference(commit: CommitID(bytes32(0x62)), index: 1)])
        return [
            .grant(grant), .revocation(revocation), .epoch(epoch), .fork(try fork()),
            .personStatement(try statement(.revocation(revocation))),
            .personStatement(try statement(.grant(grant))),
        ]
    }

    func fork() throws -> UnverifiedFork {
        func side(_ counter: UInt16) throws -> UnverifiedFork.Side {
            var header = header(of: phoneLog)
            header.clock = HybridTime(milliseconds: 1_750_000_002_000, counter: counter)
            let bytes = codec.encodeHeader(header)
            return UnverifiedFork.Side(
                bytes: bytes, header: header, signature: try phone.sign(.commit, bytes))
        }
        return UnverifiedFork(first: try side(1), second: try side(2))
    }

    func statement(
        _ body: UnverifiedPersonStatement.Body
    ) throws -> UnverifiedPersonStatement {
        let bytes = PersonStatementCodec().encode(
            space: space, personKey: person.signingKey, body: body)
        return UnverifiedPersonStatement(
            bytes: bytes, space: space, personKey: person.signingKey, body: body,
            signature: try person.sign(.personStatement, bytes))
    }
}
