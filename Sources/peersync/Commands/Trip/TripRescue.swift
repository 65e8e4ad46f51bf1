internal import ArgumentParser
internal import LocalAPI

/// Brings back what was set aside.
struct TripRescue: PeersyncCommand {
    static let configuration = CommandConfiguration("rescue", .tripRescue)

    @Argument(help: ArgumentHelp(OptionHelp.tripToRescue, valueName: "trip")) var trip: String?

    @Option(help: ArgumentHelp(OptionHelp.rescuedDevice, valueName: "device")) var device: String?

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let report = try await context.withService { service in
            try await service.rescue(RescueDraft(trip: trip, device: device))
        }
        try context.output.result(report, describe: Sentence.Trip.rescued)
    }
}
