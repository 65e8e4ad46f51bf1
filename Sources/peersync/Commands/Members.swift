internal import ArgumentParser
internal import LocalAPI

/// To whom, and what they may do.
struct Grant<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("grant", .grant(Group.noun))
    }

    @OptionGroup var space: SpaceArgument<Group>

    @Argument(
        help: ArgumentHelp(OptionHelp.personOrDevice, valueName: "person|device"),
        completion: .names(of: .personOrDevice))
    var person: String

    @Option(help: ArgumentHelp(OptionHelp.role, valueName: "role")) var role: Role?

    @Option(help: ArgumentHelp(OptionHelp.rights, valueName: "rights"), transform: Self.rights)
    var can: [Right]?

    @Option(
        help: ArgumentHelp(OptionHelp.believeUntil, valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().end(typed) } })
    var believeUntil: Moment?

    @Flag(help: ArgumentHelp(OptionHelp.authority)) var authority = false

    @Flag(help: ArgumentHelp(OptionHelp.fromNow)) var fromNow = false

    func run(in context: CommandContext) async throws {
        let draft = GrantDraft(
            person: person, role: role, rights: can, authority: authority,
            believeUntil: believeUntil, fromNow: fromNow ? true : nil)
        let member = try await context.show(\.trips.grant, id: space.name, draft) {
            Sentence.Trip.granted($0, Group.noun, name: space.name)
        }
        if let lowered = Sentence.Member.lowered(member, trip: space.name) {
            context.output.remark(lowered)
        }
        if let leftOut = Sentence.Member.leftOut(member, trip: space.name) {
            context.output.remark(leftOut)
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
struct Revoke<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("revoke", .revoke(Group.noun))
    }

    @OptionGroup var space: SpaceArgument<Group>

    @Argument(
        help: ArgumentHelp(OptionHelp.personOrDevice, valueName: "person|device"),
        completion: .names(of: .personOrDevice))
    var who: String

    @Option(
        help: ArgumentHelp(OptionHelp.believeUntil, valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().end(typed) } })
    var believeUntil: Moment?

    @Flag(help: ArgumentHelp(OptionHelp.withInvited)) var withInvited = false

    func run(in context: CommandContext) async throws {
        let view = try await context.withService { service in
            let preview = try await service.call(
                \.trips.revoke, id: space.name,
                RevokeDraft(
                    who: who, believeUntil: believeUntil, preview: true, withInvited: withInvited))
            try await context.prompt.insist(Sentence.Member.askRevoke(preview))
            return try await service.call(
                \.trips.revoke, id: preview.trip.id,
                RevokeDraft(who: who, believeUntil: believeUntil, withInvited: withInvited))
        }
        try context.output.result(view, describe: Sentence.Member.revoked)
        if let isNewKey = view.newKey {
            context.output.remark(Sentence.Encryption.revoked(isNewKey: isNewKey))
        }
        context.output.remark(Sentence.Member.revokedNext(view))
    }
}

struct ListMembers<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("members", .members(Group.noun))
    }

    @OptionGroup var space: SpaceArgument<Group>

    func run(in context: CommandContext) async throws {
        let members = try await context.show(\.trips.members, id: space.name) {
            MemberTable.rendered($0, width: context.output.width)
        }
        guard members.contains(where: { $0.keys != nil }) else { return }
        context.output.remark(Sentence.Encryption.membersRead)
        let vaults = try await context.call(\.trips.show, id: space.name).vaults ?? []
        if !vaults.isEmpty { context.output.remark(Sentence.Vault.carriers(vaults)) }
    }
}

struct AskWhetherMay<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("can", .can(Group.noun))
    }

    @OptionGroup var space: SpaceArgument<Group>

    @Argument(
        help: ArgumentHelp(OptionHelp.person, valueName: "person"), completion: .names(of: .person))
    var person: String

    @Argument(help: ArgumentHelp(OptionHelp.right, valueName: "right")) var right: Right

    /// 0 for yes, 1 for no.
    func run(in context: CommandContext) async throws {
        let view = try await context.show(
            \.trips.may, id: space.name, RightQuery(person: person, right: right),
            as: Sentence.Member.may)
        if let next = Sentence.Member.mayNext(view) { context.output.remark(next) }
        if !view.allowed { throw ExitCode(1) }
    }
}

struct RequestRight<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("request", .request(Group.noun))
    }

    @OptionGroup var space: SpaceArgument<Group>

    @Argument(help: ArgumentHelp(OptionHelp.right, valueName: "right")) var right: Right?

    @Flag(help: ArgumentHelp(OptionHelp.withdraw)) var withdraw = false

    @Option(
        help: ArgumentHelp(OptionHelp.refuse, valueName: "person"), completion: .names(of: .person))
    var refuse: String?

    func run(in context: CommandContext) async throws {
        let choices = [right != nil, withdraw, refuse != nil].count { $0 }
        guard choices == 1 else { throw APIError.requestWhat }
        let view = try await context.show(
            \.trips.request, id: space.name, RequestDraft(right: right, refuse: refuse),
            as: Sentence.Member.requested)
        if let next = Sentence.Member.requestedNext(view) { context.output.remark(next) }
    }
}
