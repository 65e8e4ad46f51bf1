internal import ArgumentParser
internal import LocalAPI

/// Changes the name of this device.
struct DeviceRename: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "rename", "Give this device another name.",
        examples: [tr("peersync device rename kitchen")],
        remarks: "Everybody who shares a trip with it sees the new name.")

    @Argument(help: ArgumentHelp(OptionHelp.newName, valueName: "name")) var name: String

    /// What is typed in vain, as by `rename OLD NEW`.
    @Argument(help: .hidden) var further: [String] = []

    func validate() throws {
        guard further.isEmpty else {
            throw ValidationError(
                tr(
                    """
                    Type one name, the new one of this device, in quotes if it has blanks. Another \
                    device is renamed on that device itself.
                    """))
        }
    }

    func run(in context: CommandContext) async throws {
        let view = try await context.show(
            \.devices.rename, NameDraft(name: name), as: renamed)
        context.output.remark(undoOfRename(view))
    }
}

/// Groups the commands about people.
struct Person: ParsableCommand {
    static let configuration = CommandConfiguration(
        "person", "See who is known, and change what you are called.",
        examples: ["peersync person list", "peersync person rename \"Anna M.\""],
        subcommands: [PersonList.command, PersonRename.command])
}

/// Lists the known people with their devices.
struct PersonList: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "list", "List the people whom this device knows, with their devices.",
        examples: ["peersync person list"])

    func run(in context: CommandContext) async throws {
        let status = try await context.call(\.agent.status, NoInput())
        // Programs get all of them.
        let devices =
            context.output.json ? status.devices : DeviceTable.shown(status.devices)
        let own = PersonEntry(
            person: status.person, isMe: true,
            devices: [status.device] + devices.filter(\.mine).map(\.reference))
        let others = Dictionary(grouping: devices.filter { !$0.mine }, by: \.person.id)
            .values.compactMap { devices in
                devices.first.map {
                    PersonEntry(
                        person: $0.person, isMe: false, devices: devices.map(\.reference))
                }
            }.sorted { ($0.person.name, $0.person.id) < ($1.person.name, $1.person.id) }
        try context.output.result([own] + others) { people in
            var table = Table([
                .text(tr("person"), shrinksTo: 12), .text(""), .text(tr("devices"), shrinksTo: 20),
                .text(tr("id")),
            ])
            for entry in people {
                table.add([
                    entry.person.name, entry.isMe ? tr("you") : "",
                    entry.devices.map(\.name).joined(separator: ", "), entry.person.shortID,
                ])
            }
            let replaced = DeviceTable.replaced(status.devices)
            return
                ([table.rendered(width: context.output.width)]
                + (replaced.isEmpty ? [] : [""] + replaced)).joined(separator: "\n")
        }
    }

    private struct PersonEntry: Encodable {
        let person: Reference
        let isMe: Bool
        let devices: [Reference]
    }
}

extension DeviceView.Identity {
    fileprivate var reference: Reference { Reference(id: id, shortID: shortID, name: name) }
}

struct PersonRename: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "rename", "Change your name.", examples: ["peersync person rename \"Anna M.\""],
        remarks: "For all your devices; everybody who shares a trip with you sees the new name.")

    @Argument(help: ArgumentHelp(OptionHelp.newName, valueName: "name")) var name: String

    func run(in context: CommandContext) async throws {
        let view = try await context.show(
            \.devices.renamePerson, NameDraft(name: name), as: renamed)
        context.output.remark(undoOfRename(view))
    }
}

private func renamed(_ view: RenameView) -> String {
    let new = Sentence.name(view.name)
    let told =
        view.person
        ? tr("You are now called \(new). Others see it when they sync next.")
        : tr("This device is now called \(new). Others see it when they sync next.")
    guard !view.untold.isEmpty else { return told }
    let trips = Sentence.Member.list(view.untold.map { Sentence.name($0.name) })
    return told + tr("\nWhere you only read, the name stays as it was: \(trips).")
}

private func undoOfRename(_ view: RenameView) -> String {
    tr("Undo: peersync \(view.person ? "person" : "device") rename \(Sentence.quoted(view.was))")
}
