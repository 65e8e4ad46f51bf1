internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about changes that do not count; without one of them it lists them.
struct Orphans: ParsableCommand {
    static let configuration = CommandConfiguration(
        "orphans", .orphans,
        subcommands: [OrphansList.command, OrphansRecover.command, OrphansDismiss.command],
        otherwise: OrphansList.command)
}

struct OrphansList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .orphansList)

    @Argument(
        help: ArgumentHelp(OptionHelp.tripToRecover, valueName: "trip"),
        completion: .names(of: .trip)) var trip: String?

    func run(in context: CommandContext) async throws {
        let views = try await context.show(\.trips.orphans, ScopeFilter(trip: trip)) { views in
            views.isEmpty
                ? Sentence.Orphans.none
                : views.map {
                    Sentence.Orphans.line(
                        $0, from: Formatting.time($0.first), to: Formatting.time($0.last))
                }.joined(separator: "\n")
        }
        if !views.isEmpty { context.output.remark(Sentence.Orphans.next(views)) }
    }
}

struct OrphansRecover: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "recover", .orphansRecover, aliases: ["rescue"])

    @OptionGroup var options: RecoverOptions

    func run(in context: CommandContext) async throws { try await options.run(in: context) }
}

/// What `orphans recover` was called before, beside the commands of a trip or space.
struct RecoverChanges<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("rescue", .orphansRecover, isShown: false, aliases: ["recover"])
    }

    @OptionGroup var options: RecoverOptions

    func run(in context: CommandContext) async throws { try await options.run(in: context) }
}

/// Which changes are brought back, or that the last ones are taken back.
struct RecoverOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(OptionHelp.tripToRecover, valueName: "trip"),
        completion: .names(of: .trip)) var trip: String?

    @Option(
        help: ArgumentHelp(OptionHelp.orphanDevice, valueName: "device"),
        completion: .names(of: .device)) var device: String?

    @Flag(help: ArgumentHelp(OptionHelp.undoRecovery)) var undo = false

    func run(in context: CommandContext) async throws {
        if undo {
            try await context.show(
                \.trips.undoRecovery, ScopeFilter(trip: trip), as: Sentence.Orphans.undone)
            return
        }
        let report = try await context.show(
            \.trips.recoverOrphans, RecoverRequest(trip: trip, device: device),
            as: Sentence.Orphans.recovered)
        if let next = Sentence.Orphans.recoveredNext(report) { context.output.remark(next) }
    }
}

struct OrphansDismiss: PeersyncCommand {
    static let configuration = CommandConfiguration("dismiss", .orphansDismiss)

    @Argument(
        help: ArgumentHelp(OptionHelp.tripToRecover, valueName: "trip"),
        completion: .names(of: .trip)) var trip: String?

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.trips.dismissOrphans, ScopeFilter(trip: trip), as: Sentence.Orphans.dismissed)
    }
}
