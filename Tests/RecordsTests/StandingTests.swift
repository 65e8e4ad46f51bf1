import LocalAPI
import Records
import SyncCore
import Testing

@Suite("The status of a record and of a trip")
struct StandingTests {
    private let mine = LogID(device: device(1), incarnation: .zero)
    private let blob = BlobID(sha256([1]))

    private static func device(_ number: UInt8) -> DeviceID { DeviceID(sha256([number])) }

    private static func watermark(_ log: LogID, _ sequence: UInt64) -> Watermark {
        Watermark([LogPosition(log: log, head: LogHead(sequence: sequence, commit: .zero))])
    }

    private func holdings(held: UInt64, missing: [BlobID] = []) -> Holdings {
        Holdings(
            space: .zero, device: .zero, counter: 1, held: held, missing: missing,
            missingCount: UInt64(missing.count), missingBytes: 0)
    }

    private func readers(
        _ acks: [UInt8: UInt64], others: [UInt8] = [2, 3], holdings: [UInt8: Holdings] = [:],
        files: Int = 0, traffic: Traffic = Traffic(), going: [UInt8: Set<BlobID>] = [:]
    ) -> SpaceSyncState {
        SpaceSyncState(
            others: Set(others.map(Self.device)),
            acks: acks.reduce(into: [:]) {
                $0[Self.device($1.key)] = Self.watermark(mine, $1.value)
            },
            holdings: holdings.reduce(into: [:]) { $0[Self.device($1.key)] = $1.value },
            fileCount: files, traffic: traffic,
            going: going.reduce(into: [:]) { $0[Self.device($1.key)] = $1.value })
    }

    private func record(file: Bool? = nil) -> RecordSyncState {
        var record = RecordSyncState()
        record.commits = [mine: [5]]
        if let file {
            record.files = [.init(blob: blob, isHere: file, bytesHere: 0)]
        }
        return record
    }

    @Test("Without another device that has it: only on this device")
    func localOnly() {
        #expect(readers([:], others: []).status(of: record()) == .localOnly)
        #expect(readers([2: 4, 3: 0]).status(of: record()) == .localOnly)
    }

    @Test("What a vault carries is not only on this device")
    func carried() {
        // given
        let (reader, vault) = (Self.device(2), Self.device(3))
        func state(others: Set<DeviceID>) -> SpaceSyncState {
            SpaceSyncState(
                others: others, vaults: [vault], acks: [vault: Self.watermark(mine, 5)],
                holdings: [:], fileCount: 0)
        }
        // then
        #expect(state(others: [reader]).status(of: record()) == .needsUpload)
        #expect(state(others: [reader]).unsent(record()).count == 0)
        #expect(state(others: []).status(of: record()) == .localOnly)
    }

    @Test("A device with an earlier version has the record: its last change waits to be sent")
    func earlierVersion() {
        // given a record made by the 2nd commit and changed by the 5th, which left nothing of the 2nd
        var changed = record()
        // then
        #expect(readers([2: 4]).status(of: changed) == .localOnly)
        changed.origin = (mine, 2)
        #expect(readers([2: 4]).status(of: changed) == .needsUpload)
        #expect(readers([2: 1]).status(of: changed) == .localOnly)
        // given one of which something is left of the 2nd
        changed.origin = nil
        changed.commits = [mine: [2, 5]]
        #expect(readers([2: 4]).status(of: changed) == .needsUpload)
        #expect(readers([2: 4]).unsent(changed).count == 1)
        #expect(readers([2: 1]).unsent(changed).count == 2)
        #expect(readers([2: 4, 3: 5]).unsent(changed).count == 0)
    }

    @Test("Some have it: it waits to be sent; all have it: in sync")
    func upload() {
        #expect(readers([2: 5]).status(of: record()) == .needsUpload)
        #expect(readers([2: 5, 3: 4]).status(of: record()) == .needsUpload)
        #expect(readers([2: 5, 3: 9]).status(of: record()) == .inSync)
    }

    @Test("The others must have said that they hold its file")
    func filesOfOthers() {
        let record = record(file: true)
        let all = holdings(held: 1)
        #expect(readers([2: 5], others: [2], files: 1).status(of: record) == .needsUpload)
        #expect(
            readers([2: 5], others: [2], holdings: [2: all], files: 1).status(of: record)
                == .inSync)
        let lacking = holdings(held: 0, missing: [blob])
        #expect(
            readers([2: 5], others: [2], holdings: [2: lacking], files: 1).status(of: record)
                == .needsUpload)
    }

    @Test("Holdings from before a file was named do not count for it")
    func oldHoldings() {
        let old = readers([2: 5], others: [2], holdings: [2: holdings(held: 1)], files: 2)
        #expect(old.status(of: record(file: true)) == .needsUpload)
    }

    @Test("Missing parts on this device come first")
    func filesHere() {
        let readers = self.readers([2: 5, 3: 5])
        #expect(readers.status(of: record(file: false)) == .filesPending)
        var photo = record(file: false)
        photo.isFile = true
        #expect(readers.status(of: photo) == .needsDownload)
        var traffic = Traffic()
        traffic.coming = [blob]
        #expect(self.readers([2: 5], traffic: traffic).status(of: photo) == .downloading)
        #expect(
            self.readers([2: 5], traffic: traffic).status(of: record(file: false))
                == .filesPending)
    }

    @Test("A file that failed, or does not fit, is an error until it comes")
    func failed() {
        var failed = Traffic()
        failed.failed = [blob]
        var unfit = Traffic()
        unfit.unfit = [blob]
        for traffic in [failed, unfit] {
            let readers = readers([2: 5, 3: 5], traffic: traffic)
            #expect(readers.status(of: record(file: false)) == .syncError)
            #expect(readers.status(of: record(file: true)) == .needsUpload)
        }
    }

    @Test("Only parts that a device lacks and is being sent are on their way")
    func uploading() {
        var traffic = Traffic()
        traffic.taking = [Self.device(3)]
        #expect(readers([2: 5, 3: 4], traffic: traffic).status(of: record()) == .uploading)
        #expect(readers([:], traffic: traffic).status(of: record()) == .uploading)
        #expect(readers([2: 4, 3: 5], traffic: traffic).status(of: record()) == .needsUpload)
        let lacking = [2: holdings(held: 0, missing: [blob])] as [UInt8: Holdings]
        let photo = record(file: true)
        func state(_ going: [UInt8: Set<BlobID>], connected: [UInt8] = [2, 3]) -> RecordStatus {
            var traffic = Traffic()
            traffic.connected = Set(connected.map(Self.device))
            return readers(
                [2: 5], others: [2], holdings: lacking, files: 1, traffic: traffic, going: going
            ).status(of: photo)
        }
        #expect(state([2: [blob]]) == .uploading)
        #expect(state([2: [BlobID(sha256([2]))]]) == .needsUpload)
        #expect(state([3: [blob]]) == .needsUpload)
        #expect(state([2: [blob]], connected: []) == .needsUpload)
    }

    @Test("A deletion waits until every device that may read has heard of it; files do not matter")
    func deletion() {
        var deleted = record(file: false)
        deleted.isDeleted = true
        #expect(readers([:]).status(of: deleted) == .needsDeletion)
        #expect(readers([2: 5, 3: 4]).status(of: deleted) == .needsDeletion)
        #expect(readers([2: 5, 3: 5]).status(of: deleted) == .inSync)
        #expect(readers([:], others: []).status(of: deleted) == .localOnly)
        deleted.isConflicted = true
        #expect(readers([2: 5, 3: 5]).status(of: deleted) == .conflict)
    }

    @Test("A cut-off list of missing files says nothing about other files")
    func cutOff() {
        let other = BlobID(sha256([2]))
        let said = Holdings(
            space: .zero, device: .zero, counter: 1, held: 1, missing: [other], missingCount: 4,
            missingBytes: 9)
        let readers = readers([2: 5], others: [2], holdings: [2: said], files: 5)
        #expect(readers.word(of: Self.device(2), on: other) == .lacks)
        #expect(readers.word(of: Self.device(2), on: blob) == .nothing)
    }

    @Test("A conflict wins over everything")
    func conflict() {
        var record = record(file: false)
        record.isConflicted = true
        #expect(readers([:]).status(of: record) == .conflict)
    }

    @Test("The last write of each log counts")
    func positions() {
        let other = LogID(device: Self.device(2), incarnation: .zero)
        func write(_ log: LogID, _ sequence: UInt64, _ index: UInt32) -> SurvivingWrite {
            SurvivingWrite(
                id: WriteID(commit: .zero, index: index), log: log, sequence: sequence,
                clock: HybridTime(raw: 1), precedence: 1, value: .null)
        }
        let state = RecordState(
            fields: ["a": Register([write(mine, 3, 0), write(other, 8, 1)])],
            sets: ["b": [.boolean(true): Register([write(mine, 7, 2)])]])
        var record = RecordSyncState()
        record.add(state)
        #expect(record.commits[mine]?.max() == 7 && record.commits[other]?.max() == 8)
    }

    @Test("An unshared trip is only here; a shared one depends on the holdings of others")
    func trip() {
        let here = Self.watermark(mine, 5)
        func state(
            _ readers: SpaceSyncState, missing: [BlobID] = [], connected: [UInt8] = []
        ) -> SyncState {
            var facts = SpaceFacts(.zero, readers, watermark: here)
            facts.files.missing = missing.map { NamedBlob(blob: $0, size: 1, kind: .original) }
            return SpaceVerdict(facts, present: Set(connected.map(Self.device))).state
        }
        #expect(state(readers([:], others: [])) == .localOnly)
        #expect(state(readers([:])) == .pending)
        #expect(state(readers([2: 5, 3: 5])) == .synced)
        #expect(state(readers([2: 5])) == .synced)
        #expect(state(readers([2: 5, 3: 4])) == .offline)
        #expect(state(readers([2: 5, 3: 4]), connected: [2]) == .pending)
        #expect(state(readers([2: 5, 3: 4]), connected: [3]) == .syncing)
        #expect(state(readers([2: 5, 3: 6]), connected: [3]) == .syncing)
        var traffic = Traffic()
        traffic.connected = [Self.device(3)]
        let holding = readers([2: 5, 3: 5], holdings: [3: holdings(held: 1)], traffic: traffic)
        #expect(state(holding, missing: [blob], connected: [3]) == .syncing)
        let away = readers([2: 5, 3: 5], holdings: [3: holdings(held: 0, missing: [blob])])
        #expect(state(away, missing: [blob], connected: [3]) == .pending)
        let lacking = readers(
            [2: 5], others: [2], holdings: [2: holdings(held: 0, missing: [blob])], files: 1)
        #expect(state(lacking, connected: [2]) == .syncing)
    }
}
