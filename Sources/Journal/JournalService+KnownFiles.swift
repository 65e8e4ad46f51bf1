internal import Foundation
internal import LocalAPI
internal import Records
internal import SyncCore

extension JournalService {
    /// Throws ``APIError`` with code `confirmationNeeded` when memories of a trip show some of these files
    /// already, under any name; files of `edited` itself do not count. Reads only files as long as a known
    /// one.
    func refuseKnown(
        _ paths: [String], in trip: ReadableSpace, except edited: RecordID? = nil
    ) async throws {
        guard !paths.isEmpty else { return }
        for path in paths { try FileIntake.check(path) }
        let known = try knownFiles(of: trip)
        var count = 0
        var memory: RecordID?
        for path in paths {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
            guard let alike = known[size?.int64Value ?? -1],
                let owner = try await replica.identify(path, in: trip.id)
                    .compactMap({ alike[$0] }).min(), owner != edited
            else { continue }
            count += 1
            memory = memory ?? owner
        }
        guard let memory else { return }
        let shown = try view(of: memory, in: trip)
        throw APIError.filesKnown(
            count, of: paths.count,
            memory: Reference(
                id: shown.id, shortID: shown.shortID, name: shown.title),
            trip: trip.reference.name)
    }

    /// Memories by size and id of their files. Lost files are left out: adding one again brings it back.
    private func knownFiles(of trip: ReadableSpace) throws -> [Int64: [BlobID: RecordID]] {
        let lost = try replica.lostFiles(of: trip.id)
        var known: [Int64: [BlobID: RecordID]] = [:]
        for collection in [Collection.media, Collection.track] {
            for file in try shown(trip.id, collection) {
                guard let blob = file.record.value(Field.original)?.blob, !lost.contains(blob),
                    let size = file.record.value(Field.size)?.integer,
                    let owner = file.record.value(Field.memory)?.reference
                else { continue }
                known[size, default: [:]][blob] = owner
            }
        }
        return known
    }
}
