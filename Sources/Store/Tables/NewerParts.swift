internal import GRDB
package import SyncCore

/// How many stored commits of each device say something that only a newer program understands, by
/// space. Kept as a setting, as there are few, and a program that knows nothing of it loses nothing.
struct NewerParts: Equatable {
    private static let key = "newer_parts"
    private static let entryBytes = 2 * Bytes32.byteCount + 8

    private(set) var counts: [SpaceID: [DeviceID: UInt64]] = [:]

    init() {}

    init(in database: Database) throws {
        try self.init(try Settings.bytes(NewerParts.key, in: database) ?? [])
    }

    private init(_ bytes: [UInt8]) throws {
        guard bytes.count.isMultiple(of: NewerParts.entryBytes) else {
            throw StoreError.corrupt("setting \(NewerParts.key)")
        }
        for start in stride(from: 0, to: bytes.count, by: NewerParts.entryBytes) {
            let entry = bytes[start..<start + NewerParts.entryBytes]
            guard let space = SpaceID(bytes: entry.prefix(Bytes32.byteCount)),
                let device = DeviceID(
                    bytes: entry.dropFirst(Bytes32.byteCount).prefix(Bytes32.byteCount))
            else { throw StoreError.corrupt("setting \(NewerParts.key)") }
            counts[space, default: [:]][device] = UInt64(bigEndian: entry.suffix(8))
        }
    }

    func save(in database: Database) throws {
        var bytes: [UInt8] = []
        for (space, devices) in counts.sorted(by: { $0.key < $1.key }) {
            for (device, count) in devices.sorted(by: { $0.key < $1.key }) {
                bytes += space.bytes + device.bytes + bigEndian(count)
            }
        }
        Invariants.check((try? NewerParts(bytes)) == self, "counts are read back as others")
        try Settings.set(NewerParts.key, bytes.isEmpty ? nil : bytes, in: database)
    }

    mutating func forget(_ space: SpaceID) { counts[space] = nil }

    /// Counts one more commit. Of more devices than a household has nothing is noted.
    mutating func add(_ device: DeviceID, in space: SpaceID) {
        let isKnown = counts[space]?[device] != nil
        guard isKnown || counts.values.reduce(0, { $0 + $1.count }) < Limits.newerPartsNoted
        else { return }
        counts[space, default: [:]][device, default: 0] += 1
    }

    /// Counts a commit, if it says something that only a newer program understands.
    static func note(_ commit: UnverifiedCommit, in database: Database) throws {
        guard commit.hasUnknownParts else { return }
        var parts = try NewerParts(in: database)
        parts.add(commit.header.log.device, in: commit.space)
        try parts.save(in: database)
    }
}

extension Limits {
    /// Devices of spaces whose commits with unknown parts are counted: more than people have, and 74 KB.
    package static let newerPartsNoted = 1024
}
