import Device
internal import LocalAPI
internal import Logging
internal import Records

/// Updates spaces to the data sets that this device follows, once when the agent starts, and logs
/// each step.
struct DataSetFollower {
    private let node: AgentNode

    init(_ node: AgentNode) { self.node = node }

    func run() async {
        do {
            try await FollowedSets(node).applyAll(note)
        } catch {
            node.storage.notWritten("data sets not followed", error)
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
