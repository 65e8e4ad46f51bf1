internal import GRDB
package import SyncCore
internal import Synchronization

/// Where statements of a kind are kept: the latest of each device in a space.
private struct StatementTable<Said: DeviceStatement> {
    let name: String
    /// Those beside space, device, counter, bytes and signature.
    let columns: [String]
    let values: (Said) -> [any Bindable]
    let read: (Row, SpaceID) throws -> Said

    var insertion: String {
        let columns = columns + ["bytes", "signature"]
        return """
            INSERT INTO \(name) (space, device, counter, \(columns.joined(separator: ", ")))
            VALUES (?, ?, ?\(String(repeating: ", ?", count: columns.count)))
            ON CONFLICT DO UPDATE SET counter = excluded.counter,
                \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            WHERE excluded.counter > counter
            """
    }
}

extension StatementTable<Ack> {
    static var acks: StatementTable {
        StatementTable(name: "acknowledgements", columns: ["watermark"]) {
            [$0.watermark.positionBytes]
        } read: { row, space in
            Ack(
                space: space, device: try row.identifier("device"),
                counter: try row.unsigned("counter"),
                watermark: try Watermark(positionBytes: try row.bytes("watermark")))
        }
    }
}

extension StatementTable<Holdings> {
    static var holdings: StatementTable {
        StatementTable(
            name: "holdings",
            columns: ["held", "missing", "missing_count", "missing_bytes", "unwanted"]
        ) { said in
            [
                Int64(bitPattern: said.held), said.missing.flatMap(\.bytes),
                Int64(bitPattern: said.missingCount), Int64(bitPattern: said.missingBytes),
                said.unwanted.sorted().flatMap(\.bytes),
            ]
        } read: { row, space in
            Holdings(
                space: space, device: try row.identifier("device"),
                counter: try row.unsigned("counter"), held: try row.unsigned("held"),
                missing: try identifiers(in: try row.bytes("missing")),
                missingCount: try row.unsigned("missing_count"),
                missingBytes: try row.unsigned("missing_bytes"),
                unwanted: Set(try identifiers(in: try row.bytes("unwanted"))))
        }
    }
}

/// Acks and holdings of devices, those of this one too.
package struct SignedStatements: Sendable {
    let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// Keeps an acknowledgement when its counter is greater than that of the one kept from its device;
    /// returns whether it was. This device's own acks are kept like those of others. A counter over 2^63
    /// is of no honest device.
    @discardableResult
    package func keep(_ signed: SignedAck) throws -> Bool {
        guard !connection.waitingAcks.withLock({ $0.hasOne(asLateAs: signed.said) }) else {
            return false
        }
        return try connection.write { try write(signed, in: $0) }
    }

    /// The same of holdings.
    @discardableResult
    package func keep(_ signed: SignedHoldings) throws -> Bool { try keep([signed]) == [true] }

    /// Keeps several in one transaction, each as if it came alone; returns which were kept.
    package func keep(_ holdings: [SignedHoldings]) throws -> [Bool] {
        guard !holdings.isEmpty else { return [] }
        return try connection.write { database in
            try holdings.map { try keep($0, in: .holdings, database) }
        }
    }

    /// Keeps this device's own next ack in a space; `sign` makes it, with the
    /// counter it is handed: beyond all that are kept and `said`, the greatest that is known to have
    /// been used before, and never below the wall clock in milliseconds, so that a restored backup
    /// does not count from the beginning. At the greatest counter that can be kept it stays: only somebody else
    /// with the key of this device has counted so far, and the latest statement is then not kept. `sign` runs on
    /// the writer's queue and must not call the store.
    ///
    /// The first one is written down at once, later ones with ``writeWaiting()``: the commits that it tells of are
    /// durable, and after a crash this device says again what it has. One whose counter is not the clock's is written
    /// down at once as well: after a crash the next one might get the same counter.
    package func keepOwn(
        of device: DeviceID, in space: SpaceID, beyond said: UInt64, now: Milliseconds,
        _ sign: (_ counter: UInt64) -> UnverifiedAck
    ) throws -> UnverifiedAck {
        try keepNext(of: device, in: space, beyond: said, now, sign) { ack, database in
            guard ack.said.counter == now.value,
                let written = try writtenCounter(of: ack.said, in: database)
            else { return try write(ack, in: database) }
            return connection.waitingAcks.withLock { $0.add(ack, after: written) }
        }
    }

    /// The same of holdings, which are counted together with acks, and each of which is written down at once.
    package func keepOwn(
        of device: DeviceID, in space: SpaceID, beyond said: UInt64, now: Milliseconds,
        _ sign: (_ counter: UInt64) -> UnverifiedHoldings
    ) throws -> UnverifiedHoldings {
        try keepNext(of: device, in: space, beyond: said, now, sign) {
            try keep($0, in: .holdings, $1)
        }
    }

    /// The latest acknowledgement of each device in a space.
    package func acks(of space: SpaceID) throws -> [SignedAck] {
        // Before the database is read: what is written down meanwhile is in one of both.
        let waiting = connection.waitingAcks.withLock { $0 }
        return waiting.merged(with: try kept(of: space, in: .acks), of: space)
    }

    /// The latest holdings of each device in a space, or of one.
    package func holdings(
        of space: SpaceID, by device: DeviceID? = nil
    ) throws -> [SignedHoldings] {
        try kept(of: space, by: device, in: .holdings)
    }

    /// The counter of the ack of the same device that is written down; nil without one.
    func writtenCounter(of said: Ack, in database: Database) throws -> UInt64? {
        let row = try SpaceTable.row(of: said.space, in: database)
        return try database.number(
            "SELECT counter FROM acknowledgements WHERE space = ? AND device = ?",
            [row, said.device.bytes]
        ).map { UInt64(bitPattern: $0) }
    }

    /// Writes an ack down, unless a later one of its device is.
    @discardableResult
    func write(_ ack: SignedAck, in database: Database) throws -> Bool {
        try keep(ack, in: .acks, database)
    }

    private func keep<Said>(
        _ signed: SignedStatement<Said>, in table: StatementTable<Said>, _ database: Database
    ) throws -> Bool {
        let (said, signed) = (signed.said, signed.unverified)
        guard let counter = Int64(exactly: said.counter) else { return false }
        try database.run(
            table.insertion,
            [try SpaceTable.row(of: said.space, in: database), said.device.bytes, counter]
                + table.values(said) + [signed.bytes, signed.signature])
        return database.changesCount > 0
    }

    private func keepNext<Said>(
        of device: DeviceID, in space: SpaceID, beyond said: UInt64, _ now: Milliseconds,
        _ sign: (_ counter: UInt64) -> UnverifiedStatement<Said>,
        keep: (SignedStatement<Said>, Database) throws -> Bool
    ) throws -> UnverifiedStatement<Said> {
        try connection.write { database in
            let row = try SpaceTable.row(of: space, in: database)
            let kept = try database.number(
                """
                SELECT MAX(counter) FROM (
                    SELECT counter FROM acknowledgements WHERE space = ? AND device = ?
                    UNION ALL SELECT counter FROM holdings WHERE space = ? AND device = ?)
                """, [row, device.bytes, row, device.bytes])
            let waiting = connection.waitingAcks.withLock { $0.counter(of: device, in: space) }
            let greatest = UInt64(Int64.max)
            let known = max(UInt64(clamping: kept ?? 0), waiting ?? 0, said)
            let counter = max(min(known, greatest - 1) + 1, now.value)
            let statement = sign(counter)
            precondition(
                statement.said.counter == counter,
                "an own statement has \(statement.said.counter) in place of \(counter)")
            precondition(
                statement.said.device == device && statement.said.space == space,
                "an own statement is of \(statement.said.device) about \(statement.said.space)")
            let isKept = try keep(SignedStatement(verified: statement), database)
            precondition(
                isKept || counter == greatest,
                "an own statement \(statement.said.counter) is not the latest")
            return statement
        }
    }

    private func kept<Said>(
        of space: SpaceID, by device: DeviceID? = nil, in table: StatementTable<Said>
    ) throws -> [SignedStatement<Said>] {
        try connection.read { database in
            try database.rows(
                """
                SELECT * FROM \(table.name) WHERE space = ?1 AND (?2 IS NULL OR device = ?2)
                ORDER BY device
                """, [try SpaceTable.row(of: space, in: database), device?.bytes]
            ).map { row in
                SignedStatement(
                    verified: UnverifiedStatement(
                        try table.read(row, space), bytes: try row.bytes("bytes"),
                        signature: try row.bytes("signature")))
            }
        }
    }
}

extension Watermark {
    /// From ``positionBytes``.
    init(positionBytes: [UInt8]) throws {
        var reader = ByteReader(positionBytes)
        var positions: [LogPosition] = []
        while !reader.isAtEnd {
            guard let device = DeviceID(bytes: try reader.bytes(Bytes32.byteCount)),
                let incarnation = Incarnation(try reader.bytes(Bytes16.byteCount))
            else { throw RecordCodec.Malformed() }
            let sequence = try reader.fixed64()
            guard let commit = CommitID(bytes: try reader.bytes(Bytes32.byteCount)) else {
                throw RecordCodec.Malformed()
            }
            positions.append(
                LogPosition(
                    log: LogID(device: device, incarnation: incarnation),
                    head: LogHead(sequence: sequence, commit: commit)))
        }
        self.init(positions)
    }
}
