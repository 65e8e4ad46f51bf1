internal import Foundation
internal import LocalAPI
internal import Records
internal import SyncCore

extension JournalService {
    /// Throws ``APIError`` with code `confirmationNeeded` when memories of a trip show some of these files
    /// already, under any name; files of `edited` itself do not count. For a track only other tracks count:
    /// a file that is no track is refused as one. Reads only files as long as a known one.
    func refuseKnown(
        _ photos: [String], track: String?, in trip: ReadableSpace, except edited: RecordID? = nil
    ) async throws {
        let paths = photos + [track].compactMap(\.self)
        guard !paths.isEmpty else { return }
        for path in paths { try FileIntake.check(path) }
        let tracks = try knownFiles(of: trip, in: [Collection.track])
        let known = try knownFiles(of: trip, in: [Collection.media])
            .merging(tracks) { $0.merging($1) { min($0, $1) } }
        var count = 0
        var memory: RecordID?
        for (index, path) in paths.enumerated() {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
            let candidates = index < photos.count ? known : tracks
            guard let alike = candidates[size?.int64Value ?? -1],
                let owner = try await replica.identify(path, in: trip.id)
                    .compactMap({ alike[$0] }).min(), owner != edited
            else { continue }
            count += 1
            memory = memory ?? owner
        }
        guard let memory else { return }
        let shown = try view(of: memory, in: trip)
        throw filesKnown(
            count, of: paths.count,
            memory: Reference(
                id: shown.id, shortID: shown.shortID, name: shown.title),
            trip: trip.reference.name)
    }

    /// Memories by size and id of their files. Lost files are left out: adding one again brings it back.
    private func knownFiles(
        of trip: ReadableSpace, in collections: [String]
    ) throws -> [Int64: [BlobID: RecordID]] {
        let lost = try replica.sync.lostFiles(of: trip.id)
        var known: [Int64: [BlobID: RecordID]] = [:]
        for collection in collections {
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

/// `memory` is one that has them already.
private func filesKnown(
    _ count: Int, of total: Int, memory: Reference, trip: String
) -> APIError {
    let name = memory.name.isEmpty ? tr("a memory") : Sentence.name(memory.name)
    let what =
        switch (count, total) {
        case (1, 1): tr("This file is")
        case (1, _): tr("1 of these \(total) files is")
        case (total, _): tr("These files are")
        default: tr("\(count) of these \(total) files are")
        }
    return APIError(
        code: .confirmationNeeded,
        sentence: "\(what) in \(Sentence.name(trip)) already: \(name) (\(memory.shortID)).",
        hint: "Nothing was added. To add it all the same: --again")
}
