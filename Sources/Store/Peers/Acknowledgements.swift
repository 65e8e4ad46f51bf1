internal import GRDB
package import SyncCore

/// An acknowledgement whose signature holds, with the signed bytes, to be relayed unchanged.
package struct SignedAck: Hashable, Sendable {
    package let ack: Ack
    package let bytes: [UInt8]
    package let signature: [UInt8]

    /// For the code that has verified the signature, and for nobody else.
    package init(verified ack: UnverifiedAck) {
        self.ack = ack.ack
        self.bytes = ack.bytes
        self.signature = ack.signature
    }
}

/// Holdings whose signature holds, with the signed bytes.
package struct SignedHoldings: Hashable, Sendable {
    package let holdings: Holdings
    package let bytes: [UInt8]
    package let signature: [UInt8]

    /// For the code that has verified the signature, and for nobody else.
    package init(verified holdings: UnverifiedHoldings) {
        self.holdings = holdings.holdings
        self.bytes = holdings.bytes
        self.signature = holdings.signature
    }
}

extension SyncStore {
    /// Keeps an acknowledgement when its counter is greater than that of the one kept from its device;
    /// returns whether it was. This device's own acks are kept like those of others. A counter over 2^63
    /// is of no honest device.
    @discardableResult
    package func store(_ signed: SignedAck) throws -> Bool {
        guard signed.ack.counter <= Int64.max else { return false }
        return try write { try keep(signed, in: $0) }
    }

    /// Keeps this device's own next ack in a space, in one transaction; `sign` makes it, with the
    /// counter it is handed: beyond ``nextCounter(of:in:now:)`` and `said`, the greatest that is known
    /// to have been used before. It runs on the writer's queue and must not call the store.
    package func storeOwn(
        of device: DeviceID, in space: SpaceID, beyond said: UInt64, now: Milliseconds,
        _ sign: (_ counter: UInt64) -> UnverifiedAck
    ) throws -> UnverifiedAck {
        try write { database in
            let ack = sign(
                try nextCounter(of: device, in: space, beyond: said, now: now, database))
            try keep(SignedAck(verified: ack), in: database)
            return ack
        }
    }

    @discardableResult
    private func keep(_ signed: SignedAck, in database: Database) throws -> Bool {
        let ack = signed.ack
        guard let counter = Int64(exactly: ack.counter) else { return false }
        try database.run(
            """
            INSERT INTO acknowledgements (space, device, counter, watermark, bytes, signature)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET counter = excluded.counter,
                watermark = excluded.watermark, bytes = excluded.bytes,
                signature = excluded.signature
            WHERE excluded.counter > counter
            """,
            [
                try row(of: ack.space, in: database), ack.device.bytes, counter,
                ack.watermark.storedBytes, signed.bytes, signed.signature,
            ])
        return database.changesCount > 0
    }

    /// The latest acknowledgement of each device in a space.
    package func acks(of space: SpaceID) throws -> [SignedAck] {
        try read { database in
            try database.rows(
                "SELECT * FROM acknowledgements WHERE space = ? ORDER BY device",
                [try row(of: space, in: database)]
            ).map { row in
                let ack = Ack(
                    space: space, device: try row.identifier("device"),
                    counter: try row.unsigned("counter"),
                    watermark: try Watermark(storedBytes: try row.bytes("watermark")))
                return SignedAck(
                    verified: UnverifiedAck(
                        ack: ack, bytes: try row.bytes("bytes"),
                        signature: try row.bytes("signature")))
            }
        }
    }

    /// Keeps holdings when their counter is greater than that of those kept from their device;
    /// returns whether they were.
    @discardableResult
    package func store(_ signed: SignedHoldings) throws -> Bool {
        guard signed.holdings.counter <= Int64.max else { return false }
        return try write { try keep(signed, in: $0) }
    }

    /// Keeps this device's own next holdings in a space, like
    /// the one for acks.
    package func storeOwn(
        of device: DeviceID, in space: SpaceID, beyond said: UInt64, now: Milliseconds,
        _ sign: (_ counter: UInt64) -> UnverifiedHoldings
    ) throws -> UnverifiedHoldings {
        try write { database in
            let holdings = sign(
                try nextCounter(of: device, in: space, beyond: said, now: now, database))
            try keep(SignedHoldings(verified: holdings), in: database)
            return holdings
        }
    }

    @discardableResult
    private func keep(_ signed: SignedHoldings, in database: Database) throws -> Bool {
        let holdings = signed.holdings
        guard let counter = Int64(exactly: holdings.counter) else { return false }
        try database.run(
            """
            INSERT INTO holdings (space, device, counter, held, missing, missing_count,
                missing_bytes, bytes, signature)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                counter = excluded.counter, held = excluded.held,
                missing = excluded.missing, missing_count = excluded.missing_count,
                missing_bytes = excluded.missing_bytes, bytes = excluded.bytes,
                signature = excluded.signature
            WHERE excluded.counter > counter
            """,
            [
                try row(of: holdings.space, in: database), holdings.device.bytes, counter,
                Int64(bitPattern: holdings.held), holdings.missing.flatMap(\.bytes),
                Int64(bitPattern: holdings.missingCount),
                Int64(bitPattern: holdings.missingBytes), signed.bytes, signed.signature,
            ])
        return database.changesCount > 0
    }

    /// The latest holdings of each device in a space.
    package func holdings(of space: SpaceID) throws -> [SignedHoldings] {
        try read { database in
            try database.rows(
                "SELECT * FROM holdings WHERE space = ? ORDER BY device",
                [try row(of: space, in: database)]
            ).map { row in
                let holdings = Holdings(
                    space: space, device: try row.identifier("device"),
                    counter: try row.unsigned("counter"), held: try row.unsigned("held"),
                    missing: try identifiers(in: try row.bytes("missing")),
                    missingCount: try row.unsigned("missing_count"),
                    missingBytes: try row.unsigned("missing_bytes"))
                return SignedHoldings(
                    verified: UnverifiedHoldings(
                        holdings: holdings, bytes: try row.bytes("bytes"),
                        signature: try row.bytes("signature")))
            }
        }
    }

    /// The counter for the device's own next ack or holdings in a space. Never below the wall clock in
    /// milliseconds, so that a restored backup does not count anew.
    package func nextCounter(
        of device: DeviceID, in space: SpaceID, now: Milliseconds
    ) throws -> UInt64 {
        try read { try nextCounter(of: device, in: space, beyond: 0, now: now, $0) }
    }

    private func nextCounter(
        of device: DeviceID, in space: SpaceID, beyond said: UInt64, now: Milliseconds,
        _ database: Database
    ) throws -> UInt64 {
        let row = try row(of: space, in: database)
        let kept = try database.number(
            """
            SELECT MAX(counter) FROM (
                SELECT counter FROM acknowledgements WHERE space = ? AND device = ?
                UNION ALL SELECT counter FROM holdings WHERE space = ? AND device = ?)
            """, [row, device.bytes, row, device.bytes])
        let next = max(UInt64(bitPattern: kept ?? 0) &+ 1, now.value)
        return max(next, min(said, UInt64(Int64.max) - 1) + 1)
    }
}

extension Watermark {
    /// Positions in order: device, incarnation, sequence (8 bytes, big endian), commit.
    var storedBytes: [UInt8] {
        positions.flatMap { position in
            position.log.device.bytes + position.log.incarnation.bytes
                + bigEndian(position.head.sequence) + position.head.commit.bytes
        }
    }

    init(storedBytes: [UInt8]) throws {
        var reader = ByteReader(storedBytes)
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
