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

/// A trip that is encrypted, and what became of the files that it had before.
package struct EncryptReport: Codable, Sendable, Equatable {
    package let trip: Reference
    /// False for one that was encrypted already.
    package let isNew: Bool
    /// Devices that had it until now, also those of former members: what they have of it in the clear,
    /// files too, they keep.
    package let readable: [Reference]
    /// Changes that were written before and stay as they are; 0 unless it is new.
    package let changes: Int
    /// Files from before that are encrypted now; a small picture counts with what it shows.
    package let encrypted: Int
    /// Files that stay in the clear, as they are not on this device.
    package let missing: LeftFiles
    /// The same, as somebody with authority said which they are.
    package let outranked: LeftFiles

    package init(
        trip: Reference, isNew: Bool, readable: [Reference], changes: Int, encrypted: Int,
        missing: LeftFiles, outranked: LeftFiles
    ) {
        (self.trip, self.isNew, self.readable) = (trip, isNew, readable)
        (self.changes, self.encrypted) = (changes, encrypted)
        (self.missing, self.outranked) = (missing, outranked)
    }
}

/// Files with which something could not be done.
package struct LeftFiles: Codable, Sendable, Equatable {
    package let count: Int
    /// Of the first hundred of them.
    package let names: [String]

    package init(_ names: [String]) {
        count = names.count
        self.names = Array(names.prefix(LocalLimits.leftFileNames))
    }
}

extension LocalLimits {
    static let leftFileNames = 100
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
