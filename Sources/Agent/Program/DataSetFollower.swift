package import Device
internal import LocalAPI
internal import Logging
internal import Records
internal import Store
package import SyncCore

/// Updates spaces to the data sets that this device follows, once when the agent starts. Settles versions that were
/// applied separately, then and whenever others changed what was applied. Logs each step; a failure ends that step
/// only.
package struct DataSetFollower: Sendable {
    private let node: AgentNode
    /// Spaces to look at.
    private let changed: Observable<Set<SpaceID>>
    private let interval: Duration

    /// Every `interval` all spaces are looked at.
    package init(
        _ node: AgentNode, _ changed: Observable<Set<SpaceID>>,
        every interval: Duration = .seconds(Limits.settlingSeconds)
    ) {
        (self.node, self.changed, self.interval) = (node, changed, interval)
    }

    package func run() async {
        do {
            // First, as a version that waits to be settled is the one in the folder.
            try await settleAll()
            try await attempt("data sets not followed") {
                try await FollowedSets(node).applyAll(note)
            }
            // Changes elsewhere do not put it off.
            var next = ContinuousClock.now + interval
            while true {
                let rest = next - ContinuousClock.now
                let arrived: Set<SpaceID>? =
                    try await rest <= .zero
                    ? nil : changed.first(within: rest) { $0.isEmpty ? nil : $0 }
                guard let arrived else {
                    // Another device may have been waited for long enough.
                    try await settleAll()
                    next = ContinuousClock.now + interval
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

    /// A failure of a step is logged. Throws `CancellationError` alone.
    private func attempt(
        _ failure: Logger.Message, _ step: () async throws -> Void
    ) async throws {
        do {
            try await step()
        } catch let error as CancellationError {
            throw error
        } catch {
            node.storage.notWritten(failure, error)
        }
    }

    private func settleAll() async throws {
        try await attempt("data sets not settled") {
            for space in try node.store.records.spaces(with: Schema.AppliedSet.collection) {
                try await settle(in: space)
            }
        }
    }

    private func settle(in space: SpaceID) async throws {
        // The agent that opens the store with room does it.
        guard !node.store.isOpenedForReading else { return }
        try await attempt("data set not settled") {
            try await DataSetSettling(node).settle(in: space) { note($0, in: space) }
        }
    }

    private func note(_ result: Result<DataSetReport, APIError>, in space: SpaceID) {
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
    package static let settlingSeconds = 3600
}
