internal import ArgumentParser
internal import LocalAPI

/// Shows devices, trips and what waits for whom.
struct Status: PeersyncCommand {
    static let configuration = CommandConfiguration("status", .status)

    func run(in context: CommandContext) async throws {
        try await StatusReport.show(in: context)
    }
}
