import Device
import Doctor
import Files
internal import Logging
import Node
import Store
import SyncCore

/// Does the background work of one agent, which ``WorkQueue`` begins.
struct AgentWork: Sendable {
    private let node: AgentNode
    private let media: MediaLibrary
    private let restart: Restart

    init(_ node: AgentNode, _ media: MediaLibrary, _ restart: Restart) {
        (self.node, self.media, self.restart) = (node, media, restart)
    }

    /// Begins the work that any program does which opens the store, and the comparison of all files.
    func begin(isLongRunning: Bool) {
        // A command has no time to compare all files.
        let compare: [WorkSchedule.Round] =
            isLongRunning
            ? [
                .init(
                    .compareFiles(isPaced: false), then: .compareFiles(isPaced: true),
                    every: Limits.comparisonMilliseconds, at: now)
            ] : []
        let kinds: Set<BackgroundWork.Kind> = [.missFiles, .findFiles]
        open(isLongRunning ? kinds.union([.compareFiles]) : kinds, compare)
    }

    /// Begins the rounds of a long-running agent.
    func beginRounds() {
        let everywhere = DataSetScope(isEverywhere: true)
        open(
            [.settleDataSets, .freeFiles, .examineDatabase],
            [
                .init(
                    .settleDataSets(DataSetScope(follows: true, isEverywhere: true)),
                    then: .settleDataSets(everywhere), every: Limits.dataSetRoundMilliseconds,
                    at: now),
                .init(.freeFiles, every: Limits.freeingMilliseconds, at: now),
                .init(
                    .examineDatabase, every: Limits.examinationMilliseconds,
                    after: Limits.examinationMilliseconds, at: now),
            ])
    }

    /// Ends the work, and says what is not finished. The answer waits for what must not be cut off.
    func end() -> @Sendable () async -> Void {
        let (running, waiting) = media.work.contents
        for work in running + waiting {
            node.logger.note(
                .debug, .program, "work not finished", details: ["work": "\(work.kind)"])
        }
        return media.work.close()
    }

    private var now: UInt64 { node.clock.now.monotonic }

    private func open(_ kinds: Set<BackgroundWork.Kind>, _ rounds: [WorkSchedule.Round]) {
        media.work.open(
            kinds, rounds,
            WorkQueue.Worker({ try await perform($0) }) { [node] kind, error in
                node.storage.notWritten("\(kind.failure)", error)
            })
    }

    private func perform(_ work: BackgroundWork) async throws {
        node.logger.note(.debug, .program, "work begins", details: ["work": "\(work.kind)"])
        switch work {
        case .missFiles(let blobs): try media.loss.report(blobs)
        case .findFiles(let blobs):
            try await media.loss.findAgain(blobs.sorted(), now: node.clock.wall)
        case .settleDataSets(let scope):
            // First, as rows of data sets follow the types of fields.
            if scope.follows { await MigrationFinisher(node: node).run() }
            try await DataSetFollower(node).run(scope)
        case .compareFiles(let isPaced):
            media.fileFinder.watch.begin()
            try await media.loss.compare(
                clock: node.clock, logger: node.logger, pausing: isPaced ? .seconds(1) : .zero)
        case .freeFiles: try await BinEmptier(node, media).freeWhatMay()
        case .examineDatabase: try await examineDatabase()
        }
    }

    /// Pages that are never read can rot as well.
    private func examineDatabase() async throws {
        let database = node.store.examination
        let found: String?
        do {
            found = try await Examination.blocking { try database.damage().all.first }
        } catch StoreError.corrupt(let damage) {
            found = damage
        } catch {
            // The store may have been closed meanwhile.
            try Task.checkCancellation()
            throw error
        }
        guard let found else { return }
        try Task.checkCancellation()
        node.logger.note(.error, .store, "the database is damaged", details: ["why": "\(found)"])
        node.store.requestRebuild()
        restart.begin(for: .damaged)
    }
}

extension Limits {
    /// Milliseconds between two examinations of the whole database, one day: reading a big one takes
    /// seconds.
    fileprivate static let examinationMilliseconds: UInt64 = 86_400_000
    /// Milliseconds between two looks at the names and sizes of all files, an hour: 20,000 take two minutes of next
    /// to no work.
    fileprivate static let comparisonMilliseconds: UInt64 = 3_600_000
    /// How often a device looks whether files may be freed.
    fileprivate static let freeingMilliseconds: UInt64 = 3_600_000
    /// How often it is checked whether versions wait to be settled.
    fileprivate static let dataSetRoundMilliseconds: UInt64 = 3_600_000
}
