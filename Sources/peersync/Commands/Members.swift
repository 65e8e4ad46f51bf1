internal import ArgumentParser
internal import LocalAPI

/// To whom, and what they may do.
struct GrantArguments: ParsableArguments {
    @Argument(help: ArgumentHelp(OptionHelp.personOrDevice, valueName: "person|device"))
    var person: String

    @Option(help: ArgumentHelp(OptionHelp.role, valueName: "role")) var role: Role?

    @Option(help: ArgumentHelp(OptionHelp.rights, valueName: "rights"), transform: Self.rights)
    var can: [Right]?

    @Option(
        help: ArgumentHelp(OptionHelp.believeUntil, valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().end(typed) } })
    var believeUntil: Moment?

    @Flag(help: ArgumentHelp(OptionHelp.authority)) var authority = false

    var draft: GrantDraft {
        GrantDraft(
            person: person, role: role, rights: can, authority: authority,
            believeUntil: believeUntil)
    }

    func run(
        _ place: String, in context: CommandContext, as describe: (MemberView) -> String
    ) async throws {
        let member = try await context.show(\.trips.grant, id: place, draft, as: describe)
        if let lowered = Sentence.Member.lowered(member, trip: place) {
            context.output.remark(lowered)
        }
    }

    private static func rights(_ typed: String) throws -> [Right] {
        try typed.split(separator: ",").map { word in
            guard let right = Right(rawValue: String(word)) else {
                throw ValidationError(OptionHelp.right)
            }
            return right
        }
    }
}

extension Role: ExpressibleByArgument {}
extension Right: ExpressibleByArgument {}

/// From whom, after saying what that means.
struct RevokeArguments: ParsableArguments {
    @Argument(help: ArgumentHelp(OptionHelp.personOrDevice, valueName: "person|device"))
    var who: String

    @Option(
        help: ArgumentHelp(OptionHelp.believeUntil, valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().end(typed) } })
    var believeUntil: Moment?

    func run(_ place: String, in context: CommandContext) async throws {
        let view = try await context.withService { service in
            let preview = try await service.call(
                \.trips.revoke, id: place,
                RevokeDraft(who: who, believeUntil: believeUntil, preview: true))
            try await context.prompt.insist(Sentence.Member.askRevoke(preview))
            return try await service.call(
                \.trips.revoke, id: preview.trip.id,
                RevokeDraft(who: who, believeUntil: believeUntil))
        }
        try context.output.result(view, describe: Sentence.Member.revoked)
        context.output.remark(Sentence.Member.revokedNext(view))
    }
}

struct TripGrant: PeersyncCommand {
    static let configuration = CommandConfiguration("grant", .tripGrant)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @OptionGroup var grant: GrantArguments

    func run(in context: CommandContext) async throws {
        try await grant.run(trip, in: context) { Sentence.Trip.granted($0, trip: trip) }
    }
}

struct SpaceGrant: PeersyncCommand {
    static let configuration = CommandConfiguration("grant", .spaceGrant)

    @Argument(help: ArgumentHelp(OptionHelp.space, valueName: "space")) var space: String

    @OptionGroup var grant: GrantArguments

    func run(in context: CommandContext) async throws {
        try await grant.run(space, in: context) { Sentence.Record.granted($0, space: space) }
    }
}

struct TripRevoke: PeersyncCommand {
    static let configuration = CommandConfiguration("revoke", .tripRevoke)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @OptionGroup var revoke: RevokeArguments

    func run(in context: CommandContext) async throws { try await revoke.run(trip, in: context) }
}

struct SpaceRevoke: PeersyncCommand {
    static let configuration = CommandConfiguration("revoke", .spaceRevoke)

    @Argument(help: ArgumentHelp(OptionHelp.space, valueName: "space")) var space: String

    @OptionGroup var revoke: RevokeArguments

    func run(in context: CommandContext) async throws { try await revoke.run(space, in: context) }
}

struct TripCan: PeersyncCommand {
    static let configuration = CommandConfiguration("can", .tripCan)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @Argument(help: ArgumentHelp(OptionHelp.person, valueName: "person")) var person: String

    @Argument(help: ArgumentHelp(OptionHelp.right, valueName: "right")) var right: Right

    /// 0 for yes, 1 for no.
    func run(in context: CommandContext) async throws {
        let view = try await context.show(
            \.trips.may, id: trip, RightQuery(person: person, right: right),
            as: Sentence.Member.may)
        if let next = Sentence.Member.mayNext(view) { context.output.remark(next) }
        if !view.allowed { throw ExitCode(1) }
    }
}

struct TripRequest: PeersyncCommand {
    static let configuration = CommandConfiguration("request", .tripRequest)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @Argument(help: ArgumentHelp(OptionHelp.right, valueName: "right")) var right: Right?

    @Flag(help: ArgumentHelp(OptionHelp.withdraw)) var withdraw = false

    @Option(help: ArgumentHelp(OptionHelp.refuse, valueName: "person")) var refuse: String?

    func run(in context: CommandContext) async throws {
        let choices = [right != nil, withdraw, refuse != nil].count { $0 }
        guard choices == 1 else { throw APIError.requestWhat }
        let view = try await context.show(
            \.trips.request, id: trip, RequestDraft(right: right, refuse: refuse),
            as: Sentence.Member.requested)
        if let next = Sentence.Member.requestedNext(view) { context.output.remark(next) }
    }
}
