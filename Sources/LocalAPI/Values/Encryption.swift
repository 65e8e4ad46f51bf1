/// How much of a trip is encrypted, and how much of it this device can read.
package struct EncryptionView: Codable, Sendable, Equatable {
    /// Keys that were made for it so far: a new one whenever somebody may not read any more.
    package let keys: Int
    /// Those of them that this device has.
    package let keysHere: Int
    /// False while a person who may no longer read knows every key: nothing is written until an admin's
    /// device has made a new one.
    package let writable: Bool
    /// Changes that are here without their key.
    package let closed: Int

    package init(keys: Int, keysHere: Int, writable: Bool, closed: Int) {
        (self.keys, self.keysHere) = (keys, keysHere)
        (self.writable, self.closed) = (writable, closed)
    }
}

/// How much of an encrypted trip a person's devices can read.
package enum MemberKeys: String, Codable, Sendable, CaseIterable {
    case all
    /// Only changes since they were let in.
    case fromNow
    /// Some keys have not been given to one of their devices yet.
    case missing
}

/// The result of encrypting a trip, and its earlier files.
package struct EncryptReport: Codable, Sendable, Equatable {
    package let trip: Reference
    /// False for one that was encrypted already.
    package let isNew: Bool
    /// Devices that had it until now, including those of former members: they keep their unencrypted
    /// copies, files included.
    package let readable: [Reference]
    /// Changes that were written before and stay as they are; 0 unless it is new.
    package let changes: Int
    /// Earlier files that are encrypted now; a thumbnail counts together with its original.
    package let encrypted: Int
    /// Files that stay in the clear, as they are not on this device.
    package let missing: LeftFiles
    /// The same, because somebody with authority decided about them.
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

/// Files for which something failed.
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
