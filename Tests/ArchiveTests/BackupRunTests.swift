import Archive
import Encryption
import SyncCore
import Testing

/// The steps of a backup, in order.
@Suite struct BackupRunTests {
    private struct Unreadable: Error {}

    private final class Home: BackupSource {
        var here: [BlobID: [UInt8]] = [:]
        var named: [BlobID: UInt64] = [:]
        var absent: [BlobID: BackupAbsence] = [:]
        var reported: [BlobID] = []

        func filesNamed() throws -> [BlobID: UInt64] { named }

        func filesHere() async throws -> [(file: BlobID, length: UInt64)] {
            here.map { ($0.key, UInt64($0.value.count)) }.sorted { $0.file < $1.file }
        }

        func input(_ file: BlobID, length: UInt64) -> any ByteInput {
            MemoryInput(here[file] ?? [])
        }

        func absence(of file: BlobID, _ error: any Error) -> BackupAbsence? { absent[file] }
        func reportLoss(of file: BlobID) async throws { reported.append(file) }
    }

    private final class Place: BackupTarget {
        var files: Set<BlobID> = []
        var earlier: Set<BlobID> = []
        var unreadable: Set<BlobID> = []

        func add(_ file: BlobID, _ input: any ByteInput, _ told: (Int) -> Bool) throws -> Bool {
            guard !unreadable.contains(file) else { throw Unreadable() }
            files.insert(file)
            return true
        }

        func keep(
            _ file: BlobID, length: UInt64, _ told: (Int) -> Bool
        ) throws(BackupError) -> Bool {
            guard earlier.contains(file) else { return false }
            files.insert(file)
            return true
        }

        func holds(_ file: BlobID) -> Bool { files.contains(file) }
    }

    private func file(_ number: UInt8) -> BlobID {
        BlobID(sha256([number]))
    }

    @Test("files are listed after the database, so that none that it names is left out")
    func order() async throws {
        // given
        let (home, place) = (Home(), Place())
        // when
        let lacking = try await BackupRun(home, place).run {
            // It arrives while the database is copied.
            home.here[file(1)] = [1]
            home.named[file(1)] = 1
        } _: { _, _ in
            true
        }
        // then
        #expect(lacking.isEmpty)
        #expect(place.files == [file(1)])
    }

    @Test("a damaged file comes from an earlier backup, and a released one is not missed")
    func absent() async throws {
        // given
        let (home, place) = (Home(), Place())
        for number in 1...3 as ClosedRange<UInt8> {
            home.here[file(number)] = [number]
            home.named[file(number)] = 1
            place.unreadable.insert(file(number))
        }
        home.absent = [file(1): .damaged, file(2): .released, file(3): .damaged]
        place.earlier = [file(1)]
        // when
        let lacking = try await BackupRun(home, place).run(copyStore: {}, { _, _ in true })
        // then
        #expect(lacking == [file(3)])
        #expect(place.files == [file(1)])
        #expect(Set(home.reported) == [file(1), file(3)])
    }

    @Test("an error that is not about a file ends the backup")
    func failing() async throws {
        let (home, place) = (Home(), Place())
        home.here[file(1)] = [1]
        place.unreadable = [file(1)]
        await #expect(throws: Unreadable.self) {
            try await BackupRun(home, place).run(copyStore: {}, { _, _ in true })
        }
    }
}
