import Device
import Foundation
package import LocalAPI
import Media
import Store
import SyncCore

/// Photos and other files: compares every byte with the hash that names it, and finds left-over
/// files.
package struct FileCheck: HealthCheck {
    let check = HealthReport.Check.files

    /// The result for the files that count as present.
    private struct Verdict {
        var sound = 0
        var damaged: [BlobID] = []
        var gone: [BlobID] = []
        var unreadable: [(blob: BlobID, error: BlobFilesError)] = []
    }

    func run(_ examination: Examination) async throws -> [Problem] {
        guard let open = examination.open else { return [] }
        try await examination.findMissingFiles()
        let database = examination.database
        let present = try await Examination.blocking { try database.presentBlobs() }
        let verdict = try await verify(present.filter { !$0.isSmall }, open, examination)
        let small = try await Examination.blocking {
            try database.damagedSmallBlobs(progress: examination.progress)
        }
        var problems = damaged(verdict, small, open)
        problems += try await LooseFiles(open, database).problems()
        if !problems.contains(where: \.finding.severity.isTrouble) {
            let count = verdict.sound + present.count(where: \.isSmall)
            problems.insert(
                Problem(
                    check, .ok,
                    Words(
                        """
                        \(Sentence.count(count, "file", "files")) verified, every byte; each \
                        thumbnail counts as one.
                        """)), at: 0)
        }
        return problems
    }

    /// After a rebuild the database waits for all files: marks those that are here as present.
    package static func noteFiles(of open: OpenStore) async throws {
        let database = open.store.examination
        let awaited = try await Examination.blocking { try database.awaitedBlobs() }
        for problem in try await LooseFiles(open, database).unnoted(awaited).problems {
            _ = try await problem.repair?()
        }
    }

    private func verify(
        _ blobs: [PresentBlob], _ open: OpenStore, _ examination: Examination
    ) async throws -> Verdict {
        var verdict = Verdict()
        for (index, blob) in blobs.enumerated() {
            try examination.progress(index, blobs.count)
            do throws(BlobFilesError) {
                _ = try await open.files.verify(blob.blob)
                verdict.sound += 1
            } catch {
                // Another part may have found the damage meanwhile and be fetching the file.
                guard try open.store.files.blob(blob.blob)?.isPresent == true else { continue }
                switch error {
                case .corrupt: verdict.damaged.append(blob.blob)
                case .notFound: verdict.gone.append(blob.blob)
                // It is the folder, and not this file.
                case .noAccess: throw error
                default: verdict.unreadable.append((blob.blob, error))
                }
            }
        }
        return verdict
    }

    private func damaged(
        _ verdict: Verdict, _ small: [BlobID], _ open: OpenStore
    ) -> [Problem] {
        var problems: [Problem] = []
        if let first = (verdict.damaged + small).first {
            let blobs = verdict.damaged
            let words = FileCheck.damaged(blobs.count + small.count, example: first.logged)
            problems.append(
                Problem(check, .error, words) {
                    for blob in blobs {
                        try await open.files.quarantined(blob)
                        try open.lose(blob)
                    }
                    for blob in small {
                        guard let content = try open.store.files.smallContent(of: blob) else {
                            continue
                        }
                        try await open.files.quarantined(blob, content: content)
                        try open.lose(blob)
                    }
                    let number = blobs.count + small.count
                    return tr(
                        number,
                        "\(number) damaged file was moved to blobs/damaged and waits to be fetched again.",
                        "\(number) damaged files were moved to blobs/damaged and wait to be fetched again."
                    )
                })
        }
        if let first = verdict.gone.first {
            let words = FileCheck.gone(verdict.gone.count, example: first.logged)
            problems.append(
                Problem(check, .error, words) {
                    for blob in verdict.gone { try open.lose(blob) }
                    return tr(
                        "\(Sentence.count(verdict.gone.count, "file waits", "files wait")) to be fetched again."
                    )
                })
        }
        return problems + unreadable(verdict)
    }

    private func unreadable(_ verdict: Verdict) -> [Problem] {
        guard let first = verdict.unreadable.first else { return [] }
        let files = Sentence.count(verdict.unreadable.count, "file", "files")
        let reason =
            if case .system(let call, let number) = first.error {
                BlobFilesError.reason(call, number)
            } else {
                "\(first.error)"
            }
        let words = Words(
            "\(files) cannot be read: \(reason).",
            "The disk may be failing: copy what you can.")
        return [Problem(check, .error, words)]
    }

    package static func damaged(_ number: Int, example: String) -> Sentence.Doctor.Words {
        Words(
            "\(Sentence.count(number, "file is", "files are")) damaged: \(example).",
            tr(
                number,
                "\(Remedy.repair.text) sets it aside and fetches it again from another device.",
                "\(Remedy.repair.text) sets them aside and fetches them again from other devices."
            ))
    }

    package static func gone(_ number: Int, example: String) -> Sentence.Doctor.Words {
        Words(
            "\(Sentence.count(number, "file is", "files are")) not there any more: \(example).",
            tr(
                number, "\(Remedy.repair.text) fetches it again from another device.",
                "\(Remedy.repair.text) fetches them again from other devices."))
    }
}

/// Files that do not count as present: whole ones that the database does not list, unfinished ones
/// that nothing finishes, foreign ones, and damaged ones in quarantine.
private struct LooseFiles {
    private let open: OpenStore
    private let database: StoreExamination

    init(_ open: OpenStore, _ database: StoreExamination) {
        (self.open, self.database) = (open, database)
    }

    func problems() async throws -> [Problem] {
        let database = database
        let awaited = try await Examination.blocking { try database.awaitedBlobs() }
        let unnoted = try await unnoted(awaited)
        var problems = unnoted.problems
        problems += try await stale(awaited)
        let absent = awaited.count - unnoted.whole
        if absent > 0 {
            problems.append(
                Problem(
                    .files, .note,
                    Words(
                        """
                        \(Sentence.count(absent, "file is", "files are")) still to be \
                        fetched.
                        """)))
        }
        let aside = try await open.files.asideCount()
        if aside > 0 {
            problems.append(
                Problem(
                    .files, .note,
                    Words(
                        """
                        \(Sentence.count(aside, "damaged file lies", "damaged files lie")) in \
                        blobs/damaged.
                        """,
                        tr(
                            aside, "Delete it once you do not miss anything.",
                            "Delete them once you do not miss anything."))))
        }
        return problems
    }

    /// Finished files that do not count as present, and the number of awaited ones among them. A file finished just now
    /// is still being recorded.
    func unnoted(
        _ awaited: Set<BlobID>
    ) async throws -> (problems: [Problem], whole: Int) {
        var awaitedHere: [BlobID] = []
        var strange = try await open.files.strangeNames()
        let now = Int64(open.clock.wall.value / 1000)
        for blob in try await open.files.list() {
            guard try open.store.files.blob(blob)?.isPresent != true,
                let finished = open.files.finishedAt(blob),
                finished + Limits.settlingSeconds < now
            else { continue }
            if awaited.contains(blob) {
                awaitedHere.append(blob)
            } else {
                strange.append("\(blob.description.prefix(2))/\(blob.logged)…")
            }
        }
        var problems: [Problem] = []
        if !awaitedHere.isEmpty { problems.append(note(awaitedHere)) }
        if let first = strange.first {
            let words = Words(
                """
                \(Sentence.count(strange.count, "file is", "files are")) in no trip: blobs/\(first).
                """,
                "That does no harm.")
            problems.append(Problem(.files, .note, words))
        }
        return (problems, awaitedHere.count)
    }

    private func note(_ blobs: [BlobID]) -> Problem {
        let open = open
        return Problem(
            .files, .warning,
            Words(
                tr(
                    blobs.count, "\(blobs.count) file lies here whole, but counts as missing.",
                    "\(blobs.count) files lie here whole, but count as missing."),
                Remedy.repair)
        ) {
            var noted: [(blob: BlobID, list: ChunkList)] = []
            for blob in blobs {
                do throws(BlobFilesError) {
                    noted.append((blob, try await open.files.verify(blob)))
                } catch {
                    // Not whole after all: the fetched copy replaces it.
                    continue
                }
            }
            let node = open.agent?.node
            try open.store.files.markFound(
                noted, namedBy: node?.identity.deviceID, now: open.clock.wall)
            for (blob, _) in noted {
                node?.loop.post(.blobFinished(blob, in: try open.store.files.spaces(holding: blob)))
            }
            return tr(
                "\(Sentence.count(noted.count, "file counts", "files count")) as present again.")
        }
    }

    /// Unfinished files of blobs that nothing waits for, and left-overs of imports.
    private func stale(_ awaited: Set<BlobID>) async throws -> [Problem] {
        let now = Int64(open.clock.wall.value / 1000)
        let stale = try await open.files.partialFiles().filter { file in
            guard file.modified + Limits.stalePartialSeconds < now else { return false }
            return file.blob.map { !awaited.contains($0) } ?? true
        }
        guard !stale.isEmpty else { return [] }
        let bytes = stale.reduce(0) { $0 + Int64(clamping: $1.bytes) }
        let files = open.files
        return [
            Problem(
                .files, .warning,
                Words(
                    """
                    \(Sentence.count(stale.count, "unfinished file is", "unfinished files are")) \
                    left over (\(Sentence.size(bytes))).
                    """,
                    Remedy.repair)
            ) {
                for file in stale { try await files.removePartial(file) }
                return tr(
                    """
                    \(Sentence.count(stale.count, "unfinished file was", "unfinished files were")) \
                    removed.
                    """)
            }
        ]
    }
}

extension Limits {
    /// A file finished more recently than this is still being recorded in the database: its batch
    /// may wait for a slow disk.
    package static let settlingSeconds: Int64 = 120
    /// An unfinished file that was not written to for this long, and that nothing waits for, is a
    /// left-over: the longest import copies hundreds of gigabytes in less time.
    package static let stalePartialSeconds: Int64 = 86_400
}
