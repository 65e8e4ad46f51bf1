internal import ArgumentParser
internal import LocalAPI

/// Gives up a trip for this person only.
struct TripLeave: PeersyncCommand {
    static let configuration = CommandConfiguration("leave", .tripLeave)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let gone = try await context.withService { service in
            let shown = try await service.call(\.trips.show, id: trip)
            try await context.prompt.insist(Sentence.Trip.askLeave(shown))
            return try await service.call(\.trips.leave, id: shown.id)
        }
        try context.output.result(gone, describe: Sentence.Trip.left)
    }
}
