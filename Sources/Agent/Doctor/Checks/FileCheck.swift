import Foundation
import LocalAPI
import Media
import Store
import SyncCore

/// Photos and other files: every byte against the hash that names it, and what lies about besides.
struct FileCheck: HealthCheck {
    let check = HealthReport.Check.files

    /// What became of the files that count as present.
    private struct Verdict {
        var sound = 0
        var damaged: [BlobID] = []
        var gone: [BlobID] = []
        var unreadable: [(blob: BlobID, error: BlobFilesError)] = []
    }

    func run(_ examination: Examination) async throws -> [Ailment] {
        guard let patient = examination.patient else { return [] }
        let database = examination.database
        let present = try await Examination.blocking { try database.presentBlobs() }
        let verdict = try await verify(present.filter { !$0.isSmall }, patient, examination)
        let small = try await Examination.blocking {
            try database.damagedSmallBlobs(progress: examination.progress)
        }
        var ailments = damaged(verdict, small, patient)
        ailments += try await LooseFiles(patient, database).ailments()
        if !ailments.contains(where: \.finding.severity.isTrouble) {
            let count = verdict.sound + present.count(where: \.isSmall)
            ailments.insert(Ailment(check, .ok, Sentence.Health.filesSound(count)), at: 0)
        }
        return ailments
    }

    private func verify(
        _ blobs: [PresentBlob], _ patient: Patient, _ examination: Examination
    ) async throws -> Verdict {
        var verdict = Verdict()
        for (index, blob) in blobs.enumerated() {
            try examination.progress(index, blobs.count)
            do throws(BlobFilesError) {
                _ = try await patient.files.verify(blob.blob)
                verdict.sound += 1
            } catch {
                // Meanwhile it may have been noticed, and be fetched again.
                guard try patient.store.blob(blob.blob)?.isPresent == true else { continue }
                switch error {
                case .corrupt: verdict.damaged.append(blob.blob)
                case .notFound: verdict.gone.append(blob.blob)
                default: verdict.unreadable.append((blob.blob, error))
                }
            }
        }
        return verdict
    }

    private func damaged(
        _ verdict: Verdict, _ small: [BlobID], _ patient: Patient
    ) -> [Ailment] {
        var ailments: [Ailment] = []
        if let first = (verdict.damaged + small).first {
            let blobs = verdict.damaged
            let words = Sentence.Health.filesDamaged(
                blobs.count + small.count, example: first.logged)
            ailments.append(
                Ailment(check, .error, words) {
                    for blob in blobs {
                        try await patient.files.setAside(blob)
                        try patient.lose(blob)
                    }
                    for blob in small {
                        guard let content = try patient.store.smallContent(of: blob) else {
                            continue
                        }
                        try await patient.files.setAside(blob, content: content)
                        try patient.lose(blob)
                    }
                    return Sentence.Health.filesSetAside(blobs.count + small.count)
                })
        }
        if let first = verdict.gone.first {
            let words = Sentence.Health.filesGone(verdict.gone.count, example: first.logged)
            ailments.append(
                Ailment(check, .error, words) {
                    for blob in verdict.gone { try patient.lose(blob) }
                    return Sentence.Health.filesRequeued(verdict.gone.count)
                })
        }
        if let first = verdict.unreadable.first {
            let words = Sentence.Health.filesUnreadable(
                verdict.unreadable.count, reason: "\(first.error)")
            ailments.append(Ailment(check, .error, words))
        }
        return ailments
    }
}

/// Files that do not count as present: whole ones nobody noted, unfinished ones nobody finishes,
/// strange ones, and damaged ones that were set aside.
private struct LooseFiles {
    private let patient: Patient
    private let database: StoreExamination

    init(_ patient: Patient, _ database: StoreExamination) {
        self.patient = patient
        self.database = database
    }

    func ailments() async throws -> [Ailment] {
        let database = database
        let awaited = try await Examination.blocking { try database.awaitedBlobs() }
        var ailments = try await unnoted(awaited)
        ailments += await stale(awaited)
        if !awaited.isEmpty {
            ailments.append(Ailment(.files, .note, Sentence.Health.filesAwaited(awaited.count)))
        }
        let aside = await patient.files.asideCount()
        if aside > 0 {
            ailments.append(Ailment(.files, .note, Sentence.Health.filesAside(aside)))
        }
        return ailments
    }

    /// Finished files that do not count as present. One that was finished just now is being noted.
    private func unnoted(_ awaited: Set<BlobID>) async throws -> [Ailment] {
        var awaitedHere: [BlobID] = []
        var strange = await patient.files.strangeNames()
        let now = Int64(patient.clock.wall.value / 1000)
        for blob in await patient.files.list() {
            guard try patient.store.blob(blob)?.isPresent != true,
                let finished = patient.files.finishedAt(blob),
                finished + Limits.settlingSeconds < now
            else { continue }
            if awaited.contains(blob) {
                awaitedHere.append(blob)
            } else {
                strange.append("\(blob.description.prefix(2))/\(blob.logged)…")
            }
        }
        var ailments: [Ailment] = []
        if !awaitedHere.isEmpty { ailments.append(note(awaitedHere)) }
        if let first = strange.first {
            let words = Sentence.Health.filesUnnamed(strange.count, example: first)
            ailments.append(Ailment(.files, .note, words))
        }
        return ailments
    }

    private func note(_ blobs: [BlobID]) -> Ailment {
        let patient = patient
        return Ailment(.files, .warning, Sentence.Health.filesUnnoted(blobs.count)) {
            var noted: [(blob: BlobID, list: ChunkList)] = []
            for blob in blobs {
                do throws(BlobFilesError) {
                    noted.append((blob, try await patient.files.verify(blob)))
                } catch {
                    // Not whole after all: what is fetched takes its place.
                    continue
                }
            }
            try patient.store.markPresent(noted, now: patient.clock.wall)
            return Sentence.Health.filesNoted(noted.count)
        }
    }

    /// Unfinished files of blobs that nobody waits for, and what imports left.
    private func stale(_ awaited: Set<BlobID>) async -> [Ailment] {
        let now = Int64(patient.clock.wall.value / 1000)
        let stale = await patient.files.partialFiles().filter { file in
            guard file.modified + Limits.stalePartialSeconds < now else { return false }
            return file.blob.map { !awaited.contains($0) } ?? true
        }
        guard !stale.isEmpty else { return [] }
        let bytes = stale.reduce(0) { $0 + Int64(clamping: $1.bytes) }
        let files = patient.files
        return [
            Ailment(
                .files, .warning, Sentence.Health.partialsStale(stale.count, bytes: bytes)
            ) {
                for file in stale { try await files.removePartial(file) }
                return Sentence.Health.partialsRemoved(stale.count)
            }
        ]
    }
}

extension Limits {
    /// A file that was finished shorter ago is being noted in the database: its batch may wait for
    /// a slow disk.
    package static let settlingSeconds: Int64 = 120
    /// An unfinished file that nobody has written to for so long, and nobody waits for, is left
    /// over: the longest import copies a file of hundreds of gigabytes in less.
    package static let stalePartialSeconds: Int64 = 86_400
}
