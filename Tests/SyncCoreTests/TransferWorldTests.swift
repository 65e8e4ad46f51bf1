import SyncCore
import TestKit
import Testing

/// A planner with a random network: whatever is lost, late or wrong, every blob comes in the end.
@Suite struct TransferWorldTests {
    @Test(
        "Every blob arrives, whatever connections and holders do",
        arguments: TestSeeds.some(100))
    func allArrive(seed: UInt64) throws {
        var world = try Network(seed: seed)
        world.run(rounds: 300, isKind: false)
        world.run(rounds: 4_000, isKind: true)
        #expect(world.finished == Set(world.blobs.keys), "seed \(seed)")
        #expect(world.porter.planner.wanted.isIdle, "seed \(seed)")
        #expect(world.porter.planner.wanted.large.isEmpty, "seed \(seed)")
        #expect(world.porter.planner.coming.isEmpty, "seed \(seed)")
        #expect(world.porter.planner.wanted.paused.isEmpty, "seed \(seed)")
        #expect(world.violations.isEmpty, "seed \(seed) \(world.violations.prefix(3))")
    }

    private struct Network {
        private enum Delivery {
            case have(Have)
            case chunk(request: UInt32, index: Int, bytes: [UInt8])

            var request: UInt32 {
                switch self {
                case .have(let have): have.request
                case .chunk(let request, _, _): request
                }
            }
        }

        var porter = Porter()
        var blobs: [BlobID: TestBlob] = [:]
        var finished: Set<BlobID> = []
        var violations: [String] = []
        private var random: SeededGenerator
        private let devices = (1...3 as ClosedRange<UInt64>).map { TestDevice($0, person: $0) }
        private var bulks: [BulkID: (device: TestDevice, arriving: [Delivery])] = [:]
        private var work: [EngineEvent] = []
        private var onDisk: [BlobID: Set<Int>] = [:]
        private var nextBulk: UInt64 = 1

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            for number in 0..<12 as Range<UInt64> {
                let chunks = Int.random(in: 1...12, using: &random)
                let isSmall = Bool.random(using: &random)
                let lie = Int.random(in: 0..<5, using: &random) == 0
                let blob =
                    isSmall
                    ? TestBlob(number, bytes: chunks * 9_000, named: lie ? 3 << 20 : nil)
                    : TestBlob(number, chunks: chunks + 1, named: lie ? 10 : nil)
                if let blob { blobs[blob.id] = blob }
            }
            perform(porter.handle(.blobsNeeded(blobs.values.map(\.need))))
        }

        mutating func run(rounds: Int, isKind: Bool) {
            if isKind {
                for device in devices { porter.planner.peerReturned(device.id) }
            }
            for _ in 0..<rounds where finished.count < blobs.count {
                round(isKind)
                noteSettling()
            }
        }

        /// What the planner says it waits for the shell with, the shell has to do.
        private mutating func noteSettling() {
            let undone = work.compactMap { event -> BlobID? in
                if case .blobPrepared(let blob, _) = event { blob } else { nil }
            }
            if !porter.planner.wanted.settling.isSubset(of: undone) {
                violations.append("settles what nobody works at")
            }
            if !porter.planner.wanted.settling.isSubset(of: porter.planner.coming) {
                violations.append("what settles does not come")
            }
        }

        private mutating func round(_ isKind: Bool) {
            let busy = bulks.keys.sorted().filter { bulks[$0]?.arriving.isEmpty == false }
            switch Int.random(in: 0..<(isKind ? 9 : 12), using: &random) {
            case 0..<4:
                if let bulk = busy.randomElement(using: &random) { deliver(bulk, isKind) }
            case 4..<7:
                if !work.isEmpty { perform(porter.handle(work.removeFirst())) }
            case 7:
                if bulks.count < 3, let device = devices.randomElement(using: &random) {
                    let bulk = BulkID(nextBulk)
                    nextBulk += 1
                    bulks[bulk] = (device, [])
                    perform(porter.handle(.bulkOpened(bulk, device.id)))
                }
            case 8:
                porter.now += UInt64.random(in: 0..<2_000, using: &random)
                perform(porter.next())
            case 9:
                if let bulk = bulks.keys.sorted().randomElement(using: &random) { close(bulk) }
            case 10: porter.now += 31_000
            default:
                if let blob = blobs.keys.sorted().randomElement(using: &random),
                    !finished.contains(blob)
                {
                    perform(porter.handle(.blobFailed(blob)))
                }
            }
        }

        private mutating func deliver(_ bulk: BulkID, _ isKind: Bool) {
            guard let next = bulks[bulk]?.arriving.removeFirst() else { return }
            let isWrong = !isKind && Int.random(in: 0..<12, using: &random) == 0
            switch next {
            case .have(var have):
                let request = have.request
                if isWrong {
                    have = Have(request: have.request, held: false, length: 0, chunkHashes: [])
                }
                if isWrong { bulks[bulk]?.arriving.removeAll { $0.request == request } }
                perform(porter.handle(.bulkReceived(bulk, .have(have))))
            case .chunk(let request, let index, let bytes):
                let event = EngineEvent.chunkReceived(
                    bulk, request: request, index: UInt32(index), bytes: isWrong ? [0xBA] : bytes)
                perform(porter.handle(event))
            }
        }

        private mutating func close(_ bulk: BulkID) {
            guard bulks.removeValue(forKey: bulk) != nil else { return }
            perform(porter.handle(.bulkClosed(bulk)))
        }

        private mutating func perform(_ actions: [EngineAction]) {
            for action in actions {
                switch action {
                case .sendBulk(let bulk, .want(let want)): serve(want, on: bulk)
                case .closeBulk(let bulk): close(bulk)
                case .prepareBlob(let need, _):
                    work.append(.blobPrepared(need.blob, present: onDisk[need.blob] ?? []))
                case .writeChunk(let blob, let index, let bytes, let bulk):
                    let valid = bytes != [0xBA]
                    if valid { onDisk[blob, default: []].insert(index) }
                    work.append(.chunkWritten(blob, index: index, valid: valid, from: bulk))
                case .storeSmallBlob(let need, _, let bytes):
                    if bytes != blobs[need.blob]?.bytes { violations.append("stored wrong bytes") }
                    finish(need)
                case .finishBlob(let need, let list):
                    if onDisk[need.blob]?.count != list.hashes.count {
                        violations.append("finished with chunks missing")
                    }
                    finish(need)
                default: break
                }
            }
        }

        private mutating func finish(_ need: BlobNeed) {
            finished.insert(need.blob)
            perform(porter.handle(.blobFinished(need.blob, in: [need.space])))
        }

        private mutating func serve(_ want: Want, on bulk: BulkID) {
            guard let blob = blobs[want.blob] else { return }
            if want.list { bulks[bulk]?.arriving.append(.have(blob.have(want.request))) }
            let end = min(Int(want.firstChunk + want.chunkCount), blob.list.hashes.count)
            for index in min(Int(want.firstChunk), end)..<end {
                bulks[bulk]?.arriving.append(
                    .chunk(request: want.request, index: index, bytes: blob.bytes))
            }
        }
    }
}
