package import ArgumentParser
package import LocalAPI

/// Groups the commands about trips.
package struct Trip: ParsableCommand, SpaceCommands {
    package static let noun = SpaceNoun.trip
    package static let configuration = CommandConfiguration(
        "trip", .trip,
        subcommands: [TripCreate.command, TripList.command] + shared + [
            TripClose.command, TripReopen.command, TripUpgrade.command,
        ])

    package init() {}
}

struct TripCreate: PeersyncCommand {
    static let configuration = CommandConfiguration("create", .tripCreate)

    @Argument(help: ArgumentHelp(OptionHelp.tripName, valueName: "name")) var name: String

    @Flag(help: ArgumentHelp(OptionHelp.encrypted)) var encrypted = false

    func run(in context: CommandContext) async throws {
        let trip = try await context.show(
            \.trips.create, TripDraft(name: name, encrypted: encrypted ? true : nil),
            as: Sentence.Trip.created)
        try await context.warnOfSameName(trip)
        context.output.remark(Sentence.Trip.createdNext(trip))
    }
}

struct TripList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .tripList)

    @Flag(help: ArgumentHelp(OptionHelp.listDeleted)) var deleted = false

    func run(in context: CommandContext) async throws {
        let trips = try await context.withService { service in
            deleted
                ? try await service.call(\.spaces.deleted).filter(\.isTrip)
                : try await service.call(\.trips.list)
        }
        try context.output.result(trips) { trips in
            trips.isEmpty
                ? (deleted ? Sentence.Trip.noneDeleted : Sentence.Status.noTrips)
                : TripTable.rendered(trips, width: context.output.width)
        }
    }
}

struct TripClose: PeersyncCommand {
    static let configuration = CommandConfiguration("close", .tripClose)

    @OptionGroup var trip: SpaceArgument<Trip>

    func run(in context: CommandContext) async throws {
        try await context.show(\.spaces.close, id: trip.name, as: Sentence.Trip.closed)
    }
}

struct TripReopen: PeersyncCommand {
    static let configuration = CommandConfiguration("reopen", .tripReopen)

    @OptionGroup var trip: SpaceArgument<Trip>

    func run(in context: CommandContext) async throws {
        try await context.show(\.spaces.reopen, id: trip.name, as: Sentence.Trip.reopened)
    }
}

struct TripUpgrade: PeersyncCommand {
    static let configuration = CommandConfiguration("upgrade", .tripUpgrade)

    @OptionGroup var trip: SpaceArgument<Trip>

    func run(in context: CommandContext) async throws {
        try await context.show(\.spaces.upgrade, id: trip.name) { _ in
            Sentence.Trip.upgraded(trip.name)
        }
    }
}
