package import ArgumentParser
internal import LocalAPI

/// Groups the commands about trips.
struct Trip: ParsableCommand {
    static let configuration = CommandConfiguration(
        "trip", .trip,
        subcommands: [
            TripCreate.command, TripList.command, TripShow.command, TripRename.command,
            TripMembers.command, TripGrant.command, TripRevoke.command, TripCan.command,
            TripRequest.command, TripAccept.command, TripDecline.command, TripLeave.command,
            TripCheck.command, TripRecover.command, TripDelete.command,
            TripRestore.command, TripArchive.command, TripImport.command,
        ])
}

struct TripCreate: PeersyncCommand {
    static let configuration = CommandConfiguration("create", .tripCreate)

    @Argument(help: ArgumentHelp(OptionHelp.tripName, valueName: "name")) var name: String

    func run(in context: CommandContext) async throws {
        let trip = try await context.show(
            \.trips.create, TripDraft(name: name), as: Sentence.Trip.created)
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

package struct TripShow: PeersyncCommand {
    package static let configuration = CommandConfiguration("show", .tripShow)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip"))
    package internal(set) var trip: String

    package init() {}

    package func run(in context: CommandContext) async throws {
        try await context.show(\.trips.show, id: trip, as: TripDetails.rendered)
    }
}

struct TripRename: PeersyncCommand {
    static let configuration = CommandConfiguration("rename", .tripRename)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @Argument(help: ArgumentHelp(OptionHelp.newName, valueName: "name")) var name: String

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.trips.rename, id: trip, LocalAPI.TripRename(name: name), as: Sentence.Trip.renamed)
    }
}

struct TripMembers: PeersyncCommand {
    static let configuration = CommandConfiguration("members", .tripMembers)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.members, id: trip) {
            MemberTable.rendered($0, width: context.output.width)
        }
    }
}

struct TripAccept: PeersyncCommand {
    static let configuration = CommandConfiguration("accept", .tripAccept)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.accept, id: trip, as: Sentence.Trip.accepted)
    }
}

struct TripDecline: PeersyncCommand {
    static let configuration = CommandConfiguration("decline", .tripDecline)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.decline, id: trip, as: Sentence.Trip.declined)
    }
}

struct TripLeave: PeersyncCommand {
    static let configuration = CommandConfiguration("leave", .tripLeave)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    func run(in context: CommandContext) async throws {
        try await context.ask(
            Sentence.Trip.askLeave, of: \.trips.show, id: trip, NoInput(), then: \.trips.leave,
            as: Sentence.Trip.left)
    }
}

struct TripCheck: PeersyncCommand {
    static let configuration = CommandConfiguration("check", .tripCheck)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    /// 0 when nothing is left to do, 1 otherwise.
    func run(in context: CommandContext) async throws {
        try await SpaceCheckText.show(trip, in: context)
    }
}

struct TripRecover: PeersyncCommand {
    static let configuration = CommandConfiguration("rescue", .tripRecover, aliases: ["recover"])

    @Argument(help: ArgumentHelp(OptionHelp.tripToRecover, valueName: "trip")) var trip: String?

    @Option(help: ArgumentHelp(OptionHelp.recoveredDevice, valueName: "device")) var device: String?

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.trips.recover, RecoverRequest(trip: trip, device: device), as: Sentence.Trip.recovered
        )
    }
}

struct TripDelete: PeersyncCommand {
    static let configuration = CommandConfiguration("delete", .tripDelete)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    func run(in context: CommandContext) async throws {
        let gone = try await context.ask(
            Sentence.Trip.askDelete, of: \.trips.show, id: trip, NoInput(), then: \.trips.delete,
            as: Sentence.Trip.deleted)
        context.output.remark(Sentence.Trip.deletedNext(gone))
    }
}

struct TripRestore: PeersyncCommand {
    static let configuration = CommandConfiguration("restore", .tripRestore)

    @Argument(help: ArgumentHelp(OptionHelp.deletedTrip, valueName: "trip")) var trip: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.restore, id: trip, as: Sentence.Trip.restored)
    }
}
