import Device
internal import LocalAPI
internal import Logging
internal import Records
internal import Store
import SyncCore

/// Updates spaces to the data sets that this device follows, once when the agent starts. Settles versions that were
/// applied separately, then and whenever others changed what was applied. Logs each step.
struct DataSetFollower {
    private let node: AgentNode
    /// Spaces to look at.
    private let changed: Observable<Set<SpaceID>>

    init(_ node: AgentNode, _ changed: Observable<Set<SpaceID>>) {
        (self.node, self.changed) = (node, changed)
    }

    func run() async {
        do {
            // First, as a version that waits to be settled is the one in the folder.
            try await settleAll()
            try await FollowedSets(node).applyAll(note)
            while true {
                let arrived = try await changed.first(within: .seconds(Limits.settlingSeconds)) {
                    $0.isEmpty ? nil : $0
                }
                guard let arrived else {
                    // Another device may have been waited for long enough.
                    try await settleAll()
                    continue
                }
                // What arrives from here on is looked at again.
                changed.update { $0.subtract(arrived) }
                for space in arrived.sorted() { try await settle(in: space) }
            }
        } catch is CancellationError {
            // The agent ends.
        } catch {
            node.storage.notWritten("data sets not followed", error)
        }
    }

    private func settleAll() async throws {
        for space in try node.store.records.spaces(with: Schema.AppliedSet.collection) {
            try await settle(in: space)
        }
    }

    private func settle(in space: SpaceID) async throws {
        // The agent that opens the store with room does it.
        guard !node.store.isOpenedForReading else { return }
        try await DataSetService(node).settle(in: space) { result in
            switch result {
            case .failure(let error):
                node.logger.note(
                    .warning, .spaces, "data set not settled", record: "\(space)",
                    details: ["why": .reason(error)])
            case .success(let report):
                for level in report.levels {
                    node.logger.note(
                        .info, .spaces, "\(level.level.rawValue) settled", record: "\(space)",
                        details: details(level))
                }
            }
        }
    }

    private func note(_ result: Result<DataSetReport, APIError>) {
        switch result {
        case .failure(let error):
            node.logger.note(
                .warning, .spaces, "data set not applied", details: ["why": .reason(error)])
        case .success(let report):
            let space = report.space.id
            if let offer = report.reset {
                node.logger.note(
                    .info, .spaces, "full reset offered", record: "\(space)",
                    details: ["from": "\(offer.from)", "to": "\(offer.to)"])
            }
            for level in report.levels where level.isChange {
                node.logger.note(
                    .info, .spaces, "\(level.level.rawValue) update", record: "\(space)",
                    details: details(level))
            }
        }
    }

    private func details(_ level: DataSetReport.Level) -> [String: Logger.MetadataValue] {
        var details: [String: Logger.MetadataValue] = [
            "from": "\(level.from)", "to": "\(level.to)",
        ]
        for kind in DataSetReport.Kind.allCases {
            let count = level.counts.filter { $0.kind == kind }.reduce(0) { $0 + $1.count }
            if count > 0 { details[kind.rawValue] = "\(count)" }
        }
        return details
    }
}

extension Limits {
    /// How often it is checked whether versions wait to be settled.
    fileprivate static let settlingSeconds = 3600
}
