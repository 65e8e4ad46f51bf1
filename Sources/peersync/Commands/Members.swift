internal import ArgumentParser
internal import LocalAPI

/// Grants rights to a person or device.
struct Grant<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "grant", "Share a \(Group.noun.word) with a person, or change what they may do.",
            examples: [
                Group.noun.typed(tr("grant"), tr("Bea")),
                Group.noun.typed(tr("grant"), tr("Bea --role editor")),
                Group.noun.typed(tr("grant"), tr("Bea --can read,write,admin")),
                Group.noun.typed(tr("grant"), tr("Bea --authority")),
            ],
            remarks: """
                viewer reads; contributor also adds and edits; editor also deletes; admin also \
                shares. On the other person's device \(Group.noun.the) waits until they accept it. \
                With less than they have, the rest is taken: what they did until now stays, or \
                with --believe-until what they did by then. With --authority, what they write from \
                then on takes precedence over what others write, even over newer values, which are \
                kept. The founder can grant it, also to themselves. It cannot be revoked.
                """)
    }

    @OptionGroup var space: SpaceArgument<Group>

    @Argument(
        help: ArgumentHelp(OptionHelp.personOrDevice, valueName: "person|device"),
        completion: .names(of: .personOrDevice))
    var person: String

    @Option(
        help: .tr(
            "viewer, contributor, editor or admin; by default what they have, or contributor.",
            valueName: "role"))
    var role: Role?

    @Option(
        help: .tr(
            "In place of a role: read, write, delete, admin; with commas between.",
            valueName: "rights"), transform: Self.rights)
    var can: [Right]?

    @Option(
        help: ArgumentHelp(OptionHelp.believeUntil, valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().end(typed) } })
    var believeUntil: Moment?

    @Flag(help: .tr("What they write takes precedence over what others write, even if newer."))
    var authority = false

    @Flag(help: .tr("Of an encrypted trip they read only what is written from now on."))
    var fromNow = false

    func run(in context: CommandContext) async throws {
        let draft = GrantDraft(
            person: person, role: role, rights: can, authority: authority,
            believeUntil: believeUntil, fromNow: fromNow ? true : nil)
        // The hints are for other devices, too, where the typed part of the name may mean another trip.
        let (trip, member) = try await context.withService { service in
            let trip = try await service.call(\.trips.show, id: space.name)
            return (trip, try await service.call(\.trips.sharing.grant, id: space.name, draft))
        }
        let name = trip.name.isEmpty ? space.name : trip.name
        try context.output.result(member) {
            MemberText.granted($0, Group.noun, name: name, shortID: trip.shortID)
        }
        if let lowered = MemberText.lowered(member, Group.noun, trip: name) {
            context.output.remark(lowered)
        }
        if let leftOut = MemberText.leftOut(member, trip: name) {
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

/// Revokes rights of a person or device, after listing the consequences.
struct Revoke<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "revoke", "Take a \(Group.noun.word) from a person or from one device.",
            examples: [
                Group.noun.typed(tr("revoke"), tr("Bea")),
                Group.noun.typed(tr("revoke"), tr("bea-phone")),
                Group.noun.typed(tr("revoke"), tr("Bea --believe-until \"2008-10-22 16:28\"")),
            ],
            remarks: """
                From then on nobody sends them anything of it, and what they write has no effect. \
                What is on their devices stays there and can be read for ever. Whoever has not \
                heard of it yet still sends them things; then it counts everywhere. Taken back \
                with 'peersync \(Group.noun) grant'.
                """)
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

    @Flag(help: .tr("Take it also from everybody whom they let in, and from whom those let in."))
    var withInvited = false

    func run(in context: CommandContext) async throws {
        let view = try await context.withService { service in
            let preview = try await service.call(
                \.trips.sharing.revoke, id: space.name,
                RevokeDraft(
                    who: who, believeUntil: believeUntil, preview: true, withInvited: withInvited))
            try await context.prompt.insist(MemberText.askRevoke(preview))
            return try await service.call(
                \.trips.sharing.revoke, id: preview.trip.id,
                RevokeDraft(who: who, believeUntil: believeUntil, withInvited: withInvited))
        }
        try context.output.result(view, describe: MemberText.revoked)
        if let isNewKey = view.newKey {
            context.output.remark(Sentence.Encryption.revoked(isNewKey: isNewKey))
        }
        context.output.remark(MemberText.revokedNext(view, Group.noun))
    }
}

struct ListMembers<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "members", "List who has a \(Group.noun.word) and what they may do.",
            examples: [Group.noun.typed(tr("members"))],
            remarks: """
                Also who gave it to whom, what somebody asks for, and which devices have not heard \
                yet of the latest grants and revocations.
                """)
    }

    @OptionGroup var space: SpaceArgument<Group>

    func run(in context: CommandContext) async throws {
        // Programs are not told here.
        let devices =
            context.output.json ? [] : try await context.call(\.devices.list, NoInput())
        let replaced = Set(devices.filter { $0.replacedBy != nil }.map(\.id))
        let members = try await context.show(\.trips.sharing.members, id: space.name) {
            MemberTable.rendered($0, width: context.output.width, replaced: replaced)
        }
        guard members.contains(where: { $0.keys != nil }) else { return }
        context.output.remark(
            tr(
                """
                Encrypted: of all who carry it, only the people above can read what is written now.
                """))
        let vaults = try await context.call(\.trips.show, id: space.name).vaults ?? []
        if !vaults.isEmpty {
            context.output.remark(
                tr(
                    """
                    Carried by \(Sentence.Member.list(vaults.map { Sentence.plain($0.name) })), \
                    which cannot read it.
                    """))
        }
    }
}

struct AskWhetherMay<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "can", "Say whether somebody may do something.",
            examples: [Group.noun.typed(tr("can"), tr("Bea delete"))],
            remarks: "Exits with 0 for yes and 1 for no.")
    }

    @OptionGroup var space: SpaceArgument<Group>

    @Argument(
        help: .tr("Name of a person, or the first letters of their id.", valueName: "person"),
        completion: .names(of: .person))
    var person: String

    @Argument(help: ArgumentHelp(OptionHelp.right, valueName: "right")) var right: Right

    /// Exits with 0 for yes, with 1 for no.
    func run(in context: CommandContext) async throws {
        let view = try await context.show(
            \.trips.sharing.may, id: space.name, RightQuery(person: person, right: right),
            as: MemberText.may)
        if let next = MemberText.mayNext(view, Group.noun) { context.output.remark(next) }
        if !view.allowed { throw ExitCode(1) }
    }
}

struct RequestRight<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "request", "Ask the admins of a \(Group.noun.word) for a right.",
            examples: [
                Group.noun.typed(tr("request"), tr("delete")),
                Group.noun.typed(tr("request"), "--withdraw"),
                Group.noun.typed(tr("request"), tr("--refuse Bea")),
            ],
            remarks: """
                They see it in 'peersync status' and 'peersync \(Group.noun) members'; 'peersync \
                \(Group.noun) grant' answers it, and --refuse says no.
                """)
    }

    @OptionGroup var space: SpaceArgument<Group>

    @Argument(help: ArgumentHelp(OptionHelp.right, valueName: "right")) var right: Right?

    @Flag(help: .tr("Ask for nothing any more."))
    var withdraw = false

    @Option(
        help: .tr("Refuse what this person asks for.", valueName: "person"),
        completion: .names(of: .person))
    var refuse: String?

    func run(in context: CommandContext) async throws {
        let choices = [right != nil, withdraw, refuse != nil].count { $0 }
        guard choices == 1 else {
            throw APIError(
                code: .badInput, sentence: "Say what you ask for: read, write, delete or admin.",
                hint: "For example: \(Group.noun.typed(tr("request"), tr("delete")))")
        }
        let view = try await context.show(
            \.trips.sharing.request, id: space.name, RequestDraft(right: right, refuse: refuse),
            as: MemberText.requested)
        if let next = view.rights.isEmpty
            ? nil
            : tr(
                "Take it back: peersync \(Group.noun) request \(Sentence.quoted(view.trip.name)) --withdraw"
            )
        {
            context.output.remark(next)
        }
    }
}
