internal import GRDB
package import SyncCore

/// Another device (or this one) as far as this device knows it.
package struct StoredDevice: Hashable, Sendable {
    package var device: DeviceID
    package var signingKey: Bytes32
    package var person: PersonID
    /// The serialized card with its chain.
    package var card: [UInt8]
    /// As told inside pairing; empty when unknown.
    package var deviceName: String
    package var personName: String
    /// Nil when it is known from a common space only.
    package var pairedAt: Milliseconds?
    /// Not trusted by pairing any more.
    package var forgottenAt: Milliseconds?
    /// The end of the last sync that succeeded.
    package var syncedAt: Milliseconds?

    /// Trusted because it paired and was not forgotten since.
    package var isPaired: Bool { pairedAt != nil && forgottenAt == nil }
}

/// Where a device may be reached.
package struct DeviceAddress: Hashable, Sendable {
    package enum Source: Int64, Sendable {
        /// It answered there before.
        case remembered = 1
        /// A person gave it.
        case added = 2
    }

    package var host: String
    package var port: UInt16
    package var source: Source
    package var succeededAt: Milliseconds?

    package init(host: String, port: UInt16, source: Source, succeededAt: Milliseconds? = nil) {
        (self.host, self.port, self.source, self.succeededAt) = (host, port, source, succeededAt)
    }
}

/// Other devices, their addresses, and how far off their clocks are.
package struct KnownDevices: Sendable {
    let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// Keeps what a pairing agreed on, in one transaction; closes the count of burned codes. Throws
    /// ``StoreError/diskFull`` also where only the mark beside the database finds no room: without it, damage would
    /// make this device forget the other one.
    package func storePairing(_ device: StoredDevice, addresses: [DeviceAddress]) throws {
        try connection.turn { turn in
            try DeviceTable.save(device, in: turn.database)
            turn.isToBeMarked = true
            turn.loaded.deviceChanges += 1
            for address in addresses {
                try DeviceTable.save(address, of: device.device, in: turn.database)
            }
            try turn.database.run("DELETE FROM pairing_codes")
            turn.loaded.keys.add(device.signingKey)
        }
    }

    /// Keeps a device, replacing what was known of it; its addresses stay.
    package func save(_ device: StoredDevice) throws {
        try connection.turn { turn in
            try DeviceTable.save(device, in: turn.database)
            turn.loaded.isMarked = false
            turn.loaded.deviceChanges += 1
            turn.loaded.keys.add(device.signingKey)
        }
    }

    /// Grows with each device that is kept, also with a known one and a new card.
    package var changes: UInt64 { connection.loaded { $0.deviceChanges } }

    package func all() throws -> [StoredDevice] { try allWithChanges().devices }

    /// With the value of ``changes`` at which they are all; nil where the snapshot that is read shows an older
    /// state, or may.
    package func allWithChanges() throws -> (devices: [StoredDevice], changes: UInt64?) {
        try connection.read { database in
            let devices = try database.rows("SELECT * FROM devices ORDER BY device")
                .map { try $0.storedDevice() }
            return (devices, connection.loaded(shownTo: database) { $0.deviceChanges })
        }
    }

    package func device(_ device: DeviceID) throws -> StoredDevice? {
        try connection.read { database in
            try database.row("SELECT * FROM devices WHERE device = ?", [device.bytes])?
                .storedDevice()
        }
    }

    /// Ends the trust that pairing gave, and forgets the addresses.
    package func forget(_ device: DeviceID, now: Milliseconds) throws {
        try connection.turn { turn in
            try turn.database.run(
                "UPDATE devices SET forgotten_at = ? WHERE device = ?", [now.stored, device.bytes])
            try turn.database.run("DELETE FROM addresses WHERE device = ?", [device.bytes])
            turn.loaded.isMarked = false
        }
    }

    /// Notes the end of a sync with a device that succeeded.
    package func markSynced(_ device: DeviceID, now: Milliseconds) throws {
        try connection.write { database in
            try database.run(
                "UPDATE devices SET synced_at = ? WHERE device = ?", [now.stored, device.bytes])
        }
    }

    /// A device's addresses, the one that worked last first.
    package func addresses(of device: DeviceID) throws -> [DeviceAddress] {
        try connection.read { database in
            try database.rows(
                """
                SELECT * FROM addresses WHERE device = ?
                ORDER BY succeeded_at IS NULL, succeeded_at DESC, host, port
                """, [device.bytes]
            ).map { row in
                let source = DeviceAddress.Source(rawValue: try row.integer("source"))
                return DeviceAddress(
                    host: try row.text("host"),
                    port: UInt16(truncatingIfNeeded: try row.integer("port")),
                    source: source ?? .remembered, succeededAt: try row.moment("succeeded_at"))
            }
        }
    }

    /// Adds or renews an address of a known device. One that a person gave stays so; a device
    /// keeps at most ``Limits/addressesPerDevice`` remembered ones, the latest, and of each host at most
    /// one with another port than the usual: each command without an agent listens on a new one.
    package func save(_ address: DeviceAddress, of device: DeviceID) throws {
        try connection.write { try DeviceTable.save(address, of: device, in: $0) }
    }

    /// By how many milliseconds the clock of a device was ahead of this one's when the two were last
    /// far apart, negative when behind; nil when they never were.
    package func notedSkew(of device: DeviceID) throws -> Int64? {
        try connection.read { try Settings.text("skew " + device.description, in: $0) }.flatMap {
            Int64($0)
        }
    }

    /// Keeps that the clocks of a device and of this one are far apart: once both are right, nothing
    /// else says how wrong one was.
    package func noteSkew(_ milliseconds: Int64, of device: DeviceID) throws {
        // Each connection measures it again, a little differently.
        if let known = try notedSkew(of: device) {
            let change = milliseconds.subtractingReportingOverflow(known)
            guard change.overflow || change.partialValue.magnitude > 1_000 else { return }
        }
        try connection.write {
            try Settings.set("skew " + device.description, Array("\(milliseconds)".utf8), in: $0)
        }
    }
}

private enum DeviceTable {
    static func save(_ device: StoredDevice, in database: Database) throws {
        try database.run(
            """
            INSERT INTO devices (device, signing_key, person, card, device_name, person_name,
                paired_at, forgotten_at, synced_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                signing_key = excluded.signing_key, person = excluded.person,
                card = excluded.card, device_name = excluded.device_name,
                person_name = excluded.person_name, paired_at = excluded.paired_at,
                forgotten_at = excluded.forgotten_at, synced_at = excluded.synced_at
            """,
            [
                device.device.bytes, device.signingKey.bytes, device.person.bytes,
                device.card, device.deviceName, device.personName, device.pairedAt?.stored,
                device.forgottenAt?.stored, device.syncedAt?.stored,
            ])
    }

    static func save(_ address: DeviceAddress, of device: DeviceID, in database: Database) throws {
        try database.run(
            """
            INSERT INTO addresses (device, host, port, source, succeeded_at)
            VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                source = MAX(source, excluded.source),
                succeeded_at = COALESCE(excluded.succeeded_at, succeeded_at)
            """,
            [
                device.bytes, address.host, Int64(address.port), address.source.rawValue,
                address.succeededAt?.stored,
            ])
        if address.source == .remembered, address.port != Limits.defaultPort {
            try database.run(
                """
                DELETE FROM addresses WHERE device = ? AND host = ? AND source = 1
                    AND port NOT IN (?, ?)
                """,
                [
                    device.bytes, address.host, Int64(address.port), Int64(Limits.defaultPort),
                ])
        }
        try database.run(
            """
            DELETE FROM addresses WHERE device = ?1 AND source = 1 AND (host, port) NOT IN (
                SELECT host, port FROM addresses WHERE device = ?1 AND source = 1
                ORDER BY succeeded_at DESC LIMIT ?2)
            """, [device.bytes, Limits.addressesPerDevice])
    }
}

extension Row {
    fileprivate func storedDevice() throws -> StoredDevice {
        guard let key = Bytes32(try bytes("signing_key")) else { throw wrong("signing_key") }
        return StoredDevice(
            device: try identifier("device"), signingKey: key, person: try identifier("person"),
            card: try bytes("card"), deviceName: try text("device_name"),
            personName: try text("person_name"), pairedAt: try moment("paired_at"),
            forgottenAt: try moment("forgotten_at"), syncedAt: try moment("synced_at"))
    }
}

extension StoredDevice {
    package init(
        card: Card, deviceName: String = "", personName: String = "", pairedAt: Milliseconds? = nil
    ) {
        self.init(
            device: card.device, signingKey: card.content.signingKey, person: card.person,
            card: card.encoded, deviceName: deviceName, personName: personName, pairedAt: pairedAt)
    }
}
