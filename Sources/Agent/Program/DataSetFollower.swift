package import Device
internal import LocalAPI
internal import Logging
package import Node
internal import Records
internal import Store
import SyncCore

/// Updates spaces to the data sets that this device follows, and settles versions that were applied separately: when
/// the agent starts, from time to time, and whenever others changed what was applied. Logs each step; a failure ends
/// that step only.
package struct DataSetFollower: Sendable {
    private let node: AgentNode

    package init(_ node: AgentNode) { self.node = node }

    /// Throws `CancellationError` alone.
    package func run(_ scope: DataSetScope) async throws {
        // First, as a version that waits to be settled is the one in the folder.
        if scope.isEverywhere { try await settleAll() }
        if scope.follows {
            try await attempt("data sets not followed") {
                try await FollowedSets(node).applyAll(note)
            }
        }
        for space in scope.spaces.sorted() { try await settle(in: space) }
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
