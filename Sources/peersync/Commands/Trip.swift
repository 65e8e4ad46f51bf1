package import ArgumentParser
package import LocalAPI

/// Groups the commands about trips.
package struct Trip: ParsableCommand, SpaceCommands {
    package static let noun = SpaceNoun.trip
    package static let configuration = CommandConfiguration(
        "trip", "Create and share trips.", examples: ["peersync trip create \"Arezzo 2008\""],
        subcommands: [TripCreate.command, TripList.command] + shared + [
            TripClose.command, TripReopen.command, TripUpgrade.command,
        ])

    package init() {}
}

struct TripCreate: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "create", "Create a trip.", examples: ["peersync trip create \"Arezzo 2008\""])

    @Argument(help: .tr("Name of the new trip.", valueName: "name"))
    var name: String

    @Flag(help: ArgumentHelp(OptionHelp.encrypted)) var encrypted = false

    func run(in context: CommandContext) async throws {
        let trip = try await context.show(
            \.trips.create, TripDraft(name: name, encrypted: encrypted ? true : nil)
        ) { tr("Created \(Sentence.name($0.name)) (\($0.shortID)).") }
        let isTwin = try await context.warnOfSameName(trip)
        let typed = isTwin ? trip.shortID : Sentence.quoted(trip.name)
        context.output.remark(tr("Next: peersync memory add \(typed) --title \"First day\""))
    }
}

struct TripList: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "list", "List your trips, including those you have not accepted yet.",
        examples: ["peersync trip list", "peersync trip list --deleted"])

    @Flag(help: ArgumentHelp(OptionHelp.listDeleted)) var deleted = false

    func run(in context: CommandContext) async throws {
        let (trips, carried) = try await context.withService { service -> ([TripView], Int) in
            let trips =
                deleted
                ? try await service.call(\.spaces.deleted).filter(\.isTrip)
                : try await service.call(\.trips.list)
            guard trips.isEmpty, !deleted else { return (trips, 0) }
            return (trips, try await service.call(\.vaults.list).carried.count)
        }
        try context.output.result(trips) { trips in
            trips.isEmpty
                ? (deleted ? tr("Nothing is deleted.") : StatusReport.noTrips(carried: carried))
                : TripTable.rendered(trips, width: context.output.width)
        }
    }
}

struct TripClose: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "close", "Say that a trip is over: lists show it last.",
        examples: ["peersync trip close Arezzo"],
        remarks: "Everything in it stays, and can be changed. Taken back with: peersync trip reopen"
    )

    @OptionGroup var trip: SpaceArgument<Trip>

    func run(in context: CommandContext) async throws {
        try await context.show(\.spaces.close, id: trip.name) {
            tr("\(Sentence.name($0.name)) is over: lists show it last. Everything in it stays.")
        }
    }
}

struct TripReopen: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "reopen", "Say that a trip goes on.", examples: ["peersync trip reopen Arezzo"])

    @OptionGroup var trip: SpaceArgument<Trip>

    func run(in context: CommandContext) async throws {
        try await context.show(\.spaces.reopen, id: trip.name) {
            tr("\(Sentence.name($0.name)) goes on.")
        }
    }
}

struct TripUpgrade: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "upgrade", "Give a trip the newest fields, such as captions of photos.",
        examples: ["peersync trip upgrade Arezzo"],
        remarks: "For everybody. Devices with an older peersync go on without these fields.")

    @OptionGroup var trip: SpaceArgument<Trip>

    func run(in context: CommandContext) async throws {
        try await context.show(\.spaces.upgrade, id: trip.name) { _ in
            tr("\(Sentence.name(trip.name)) has all fields that this program knows.")
        }
    }
}
