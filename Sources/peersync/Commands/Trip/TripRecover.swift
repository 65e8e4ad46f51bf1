internal import ArgumentParser
internal import LocalAPI

/// Brings back what was quarantined.
struct TripRecover: PeersyncCommand {
    static let configuration = CommandConfiguration("rescue", .tripRecover, aliases: ["recover"])

    @Argument(help: ArgumentHelp(OptionHelp.tripToRecover, valueName: "trip")) var trip: String?

    @Option(help: ArgumentHelp(OptionHelp.recoveredDevice, valueName: "device")) var device: String?

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let report = try await context.call(
            \.trips.recover, RecoverRequest(trip: trip, device: device))
        try context.output.result(report, describe: Sentence.Trip.recovered)
    }
}
