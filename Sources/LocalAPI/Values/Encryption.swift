/// What of a trip is encrypted, and how far this device can read it.
package struct EncryptionView: Codable, Sendable, Equatable {
    /// Keys that were made for it so far: a new one whenever somebody may not read any more.
    package let keys: Int
    /// Those of them that this device has.
    package let keysHere: Int
    /// False while somebody knows every key who may not read any more: nothing is written before an
    /// admin's device has made a new one.
    package let writable: Bool
    /// Changes that are here and that this device has no key for.
    package let closed: Int

    package init(keys: Int, keysHere: Int, writable: Bool, closed: Int) {
        (self.keys, self.keysHere) = (keys, keysHere)
        (self.writable, self.closed) = (writable, closed)
    }
}

/// What the devices of a person can read of an encrypted trip.
package enum MemberKeys: String, Codable, Sendable, CaseIterable {
    case all
    /// What was written since they were let in.
    case fromNow
    /// Some key is still to be given to one of their devices.
    case missing
}

/// A trip that is encrypted from now on.
package struct EncryptReport: Codable, Sendable, Equatable {
    package let trip: Reference
    /// Devices that had it until now and on which what is in it could be read, also those of former
    /// members.
    package let readable: [Reference]
    /// Changes that were written before and stay as they are.
    package let changes: Int
    package let files: Int

    package init(trip: Reference, readable: [Reference], changes: Int, files: Int) {
        (self.trip, self.readable, self.changes, self.files) = (trip, readable, changes, files)
    }
}

/// A new key of an encrypted trip.
package struct TripKeyView: Codable, Sendable, Equatable {
    package let trip: Reference
    /// Keys that were made so far.
    package let keys: Int
    /// The devices that have the new one.
    package let devices: [Reference]

    package init(trip: Reference, keys: Int, devices: [Reference]) {
        (self.trip, self.keys, self.devices) = (trip, keys, devices)
    }
}

/// The keys of an encrypted trip as age identities.
package struct TripKeyExport: Codable, Sendable, Equatable {
    package let trip: Reference
    /// How many are in it, of how many that were made.
    package let keys: Int
    package let keysTotal: Int
    /// A file for `age -d -i`. Secret.
    package let identities: String

    package init(trip: Reference, keys: Int, keysTotal: Int, identities: String) {
        (self.trip, self.keys, self.keysTotal) = (trip, keys, keysTotal)
        self.identities = identities
    }
}
