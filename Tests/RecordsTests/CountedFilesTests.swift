import LocalAPI
import Records
import SyncCore
import TestKit
import Testing

@Suite("Files that are counted and not listed")
struct CountedFilesTests {
    private static let space = SpaceID(sha256([9]))
    private static let log = LogID(device: device(0), incarnation: .zero)

    private static func device(_ number: UInt8) -> DeviceID { DeviceID(sha256([number])) }

    private static func watermark(_ sequence: UInt64) -> Watermark {
        Watermark([LogPosition(log: log, head: LogHead(sequence: sequence, commit: .zero))])
    }

    @Test("counting and listing files give equal results", arguments: TestSeeds.some(400))
    func alike(seed: UInt64) {
        // given files that are missing here, and the holdings of other devices
        var random = SeededGenerator(seed: seed)
        let files = Self.files(&random)
        let sync = Self.sync(files.map(\.blob), &random)
        let missing = files.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
        var listed = SpaceFacts(Self.space, sync, watermark: Self.watermark(5))
        listed.files.thumbnailCount = files.count { $0.kind == .thumbnail }
        listed.files.lackedThumbnails = Set(
            files.filter { $0.kind == .thumbnail && sync.singledOut.contains($0.blob) }.map(\.blob))
        var counted = listed
        listed.files.missing = missing
        // when only those that somebody spoke of are listed
        counted.files.missing = missing.filter { sync.singledOut.contains($0.blob) }
        counted.files.missingOthers = FileTotals(
            missing.filter { !sync.singledOut.contains($0.blob) })
        // then
        for file in missing where !sync.singledOut.contains(file.blob) {
            #expect(sync.fate(of: file.blob) == sync.fateOfOthers)
        }
        let present = Set((1...3).map(Self.device).filter { _ in .random(using: &random) })
        let verdicts = [listed, counted].map { SpaceVerdict($0, present: present) }
        #expect(verdicts[0].state == verdicts[1].state)
        #expect(verdicts[0].problems == verdicts[1].problems)
        #expect(verdicts[0].missing == verdicts[1].missing)
        for device in (1...4).map(Self.device) {
            let owed = [listed, counted].map { SpaceBalance($0).owed(to: device) }
            #expect(owed[0].toSend == owed[1].toSend)
            #expect(owed[0].fromOthers == owed[1].fromOthers)
        }
    }

    @Test("What a device freed, and what a vault cannot have, is owed to nobody")
    func notOwed() {
        // given a device that lacks two files and lists one
        let ben = Self.device(1)
        let file = BlobID(sha256([7]))
        func owed(unwanted: Set<BlobID>, isReader: Bool) -> Int {
            let said = Holdings(
                space: Self.space, device: ben, counter: 1, held: 1, missing: [file],
                missingCount: 2, missingBytes: 50, unwanted: unwanted)
            let sync = SpaceSyncState(
                others: [ben], acks: [ben: Self.watermark(5)], holdings: [ben: said],
                fileCount: 3, isReader: isReader)
            let facts = SpaceFacts(Self.space, sync, watermark: Self.watermark(5))
            return SpaceBalance(facts).owed(to: ben).toSend.files
        }
        // then
        #expect(owed(unwanted: [], isReader: true) == 2)
        #expect(owed(unwanted: [file], isReader: true) == 1)
        #expect(owed(unwanted: [], isReader: false) == 1)
        #expect(owed(unwanted: [file], isReader: false) == 0)
    }

    @Test("A full disk needs room for all files that wait for it, not for the smallest one")
    func room() throws {
        // given
        let files = (1...2).map { number in
            NamedBlob(blob: BlobID(sha256([7, number])), size: 9_500_000, kind: .original)
        }
        var traffic = Traffic()
        traffic.unfit = Set(files.map(\.blob))
        let ben = Self.device(1)
        let sync = SpaceSyncState(
            others: [ben], acks: [ben: Self.watermark(5)], holdings: [:], fileCount: 2,
            traffic: traffic)
        var space = SpaceFacts(Self.space, sync, watermark: Self.watermark(5))
        space.files.missing = files
        var facts = StatusFacts()
        facts.spaces = [space]
        facts.here.disk = DiskFacts(
            folder: "/home", freeBytes: 40_000_000, spareBytes: 34_000_000)
        // when
        let problems = StatusVerdict(facts).problems
        // then
        let needed = problems.compactMap { problem in
            if case .diskFull(let disk) = problem { disk?.neededBytes } else { nil }
        }
        #expect(needed == [53_000_000])
    }

    private static func files(_ random: inout SeededGenerator) -> [NamedBlob] {
        (0..<UInt8.random(in: 0...12, using: &random)).map { number in
            NamedBlob(
                blob: BlobID(sha256([7, number])), size: .random(in: 1...99, using: &random),
                kind: Bool.random(using: &random) ? .original : .thumbnail)
        }
    }

    private static func some(
        _ blobs: [BlobID], _ random: inout SeededGenerator
    ) -> Set<BlobID> {
        // Of a few files nothing is said at all.
        Set(blobs.dropLast(3).filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
    }

    private static func sync(
        _ blobs: [BlobID], _ random: inout SeededGenerator
    ) -> SpaceSyncState {
        let devices = (1...UInt8.random(in: 1...4, using: &random)).map(device)
        var traffic = Traffic()
        traffic.connected = Set(devices.filter { _ in .random(using: &random) })
        traffic.coming = some(blobs, &random)
        traffic.failed = some(blobs, &random)
        traffic.unfit = some(blobs, &random)
        for device in devices { traffic.refused[device] = some(blobs, &random) }
        var holdings: [DeviceID: Holdings] = [:]
        for device in devices where Int.random(in: 0..<4, using: &random) > 0 {
            let missing = some(blobs, &random).sorted()
            let cut = UInt64.random(in: 0...1, using: &random) * 2
            holdings[device] = Holdings(
                space: space, device: device, counter: 1,
                held: UInt64.random(in: 0...12, using: &random), missing: missing,
                missingCount: UInt64(missing.count) + cut,
                missingBytes: .random(in: 0...400, using: &random))
        }
        let acks = devices.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
        return SpaceSyncState(
            others: Set(devices.prefix(3)), vaults: Set(devices.dropFirst(3)),
            acks: Dictionary(acks.map { ($0, watermark(5)) }) { $1 },
            holdings: holdings, fileCount: blobs.count,
            plainFiles: devices.count > 3 ? some(blobs, &random) : [], traffic: traffic)
    }
}
