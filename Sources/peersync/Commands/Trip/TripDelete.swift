internal import ArgumentParser
internal import LocalAPI

/// Deletes a trip for everybody.
struct TripDelete: PeersyncCommand {
    static let configuration = CommandConfiguration("delete", .tripDelete)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let gone = try await context.withService { service in
            let shown = try await service.call(\.trips.show, id: trip)
            try await context.prompt.insist(Sentence.Trip.askDelete(shown))
            return try await service.call(\.trips.delete, id: shown.id)
        }
        try context.output.result(gone, describe: Sentence.Trip.deleted)
        context.output.remark(Sentence.Trip.deletedNext(gone))
    }
}
