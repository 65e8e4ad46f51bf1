internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about changes that do not count; without a subcommand it lists them.
struct Orphans: ParsableCommand {
    static let configuration = CommandConfiguration(
        "orphans", "List changes that do not count, and bring them back.",
        examples: [
            "peersync orphans", "peersync orphans Arezzo", "peersync orphans recover Arezzo",
            "peersync orphans dismiss Arezzo",
        ],
        remarks: """
            When a trip is taken from somebody, or their role is lowered, what they write after \
            that does not count. When a device is put back to an older state without noticing it \
            and writes on, what it wrote since that state does not count, before and after. All of \
            it is kept here, and listed with who wrote it, when, why it does not count and what it \
            would change.
            """,
        subcommands: [OrphansList.command, OrphansRecover.command, OrphansDismiss.command],
        otherwise: OrphansList.command)
}

struct OrphansList: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "list", "List changes that do not count.", examples: ["peersync orphans list Arezzo"])

    @Argument(
        help: ArgumentHelp(OptionHelp.tripToRecover, valueName: "trip"),
        completion: .names(of: .trip)) var trip: String?

    func run(in context: CommandContext) async throws {
        let scope = ScopeFilter(trip: trip)
        let (views, spaces) = try await context.withService { service in
            let views = try await service.call(\.trips.recovery.orphans, scope)
            return (views, try await looked(at: service))
        }
        try context.output.result(views) { views in
            views.isEmpty
                ? tr("This device knows of no change that does not count.")
                : views.map {
                    OrphanText.line(
                        $0, from: Formatting.time($0.first), to: Formatting.time($0.last))
                }.joined(separator: "\n")
        }
        if !views.isEmpty { context.output.remark(OrphanText.next(views)) }
        if let closed = OrphanText.closed(spaces) { context.output.remark(closed) }
    }

    /// The spaces that are looked at; none for the person's own lists, which nobody can take.
    private func looked(at service: any AgentService) async throws -> [TripView] {
        guard let trip else { return try await service.call(\.spaces.list) }
        do {
            return [try await service.call(\.trips.show, id: trip)]
        } catch let error as APIError where error.code == .notFound {
            return []
        }
    }
}

struct OrphansRecover: PeersyncCommand {
    static let configuration: CommandConfiguration = named("recover", aliases: ["rescue"])

    static func named(
        _ name: String, aliases: [String]
    ) -> CommandConfiguration {
        CommandConfiguration(
            name, "Make changes that do not count again, as your own.",
            examples: [
                "peersync orphans recover",
                tr("peersync orphans recover Arezzo --device bea-phone"),
                "peersync orphans recover Arezzo --undo",
            ],
            remarks: """
                Newer changes are kept. What was dismissed comes back only when its device is named. \
                --undo takes back what was brought back last; newer changes are kept then as well. \
                'peersync orphans rescue', 'trip rescue' and 'trip recover' are older words for this.
                """, aliases: aliases)
    }

    @OptionGroup var options: RecoverOptions

    func run(in context: CommandContext) async throws { try await options.run(in: context) }
}

/// The former name of `orphans recover`, among the commands of a trip or space.
struct RecoverChanges<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        var configuration = OrphansRecover.named("rescue", aliases: ["recover"])
        configuration.shouldDisplay = false
        return configuration
    }

    @OptionGroup var options: RecoverOptions

    func run(in context: CommandContext) async throws { try await options.run(in: context) }
}

/// Selects the changes to recover, or reverts the last recovery.
struct RecoverOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(OptionHelp.tripToRecover, valueName: "trip"),
        completion: .names(of: .trip)) var trip: String?

    @Option(
        help: .tr("Only what this device wrote, also what was dismissed.", valueName: "device"),
        completion: .names(of: .device))
    var device: String?

    @Flag(help: .tr("Take back what was brought back last on this device."))
    var undo = false

    func run(in context: CommandContext) async throws {
        if undo {
            try await context.show(
                \.trips.recovery.undoRecovery, ScopeFilter(trip: trip), as: OrphanText.undone)
            return
        }
        let report = try await context.show(
            \.trips.recovery.recoverOrphans, RecoverRequest(trip: trip, device: device),
            as: OrphanText.recovered)
        if let next = OrphanText.recoveredNext(report) { context.output.remark(next) }
    }
}

struct OrphansDismiss: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "dismiss", "Leave changes as they are, without effect, and be told of them no more.",
        examples: ["peersync orphans dismiss Arezzo"],
        remarks: "On all your devices. They stay listed by 'peersync orphans'.")

    @Argument(
        help: ArgumentHelp(OptionHelp.tripToRecover, valueName: "trip"),
        completion: .names(of: .trip)) var trip: String?

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.trips.recovery.dismissOrphans, ScopeFilter(trip: trip), as: OrphanText.dismissed)
    }
}
