internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about other devices.
struct DeviceFamily: ParsableCommand {
    static let configuration = CommandConfiguration(
        "device", "List and manage the devices you know.", examples: ["peersync device list"],
        subcommands: [
            DeviceList.command, DeviceAddress.self, DeviceRename.command, DeviceForget.command,
            DeviceRedate.command, DeviceLost.command, DeviceFound.command,
        ])
}

struct DeviceList: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "list", "List the devices you know.", examples: ["peersync device list"])

    func run(in context: CommandContext) async throws {
        try await context.show(\.devices.list) { devices in
            devices.isEmpty
                ? StatusReport.noDevices
                : DeviceTable.rendered(devices, width: context.output.width)
        }
    }
}

struct DeviceAddress: ParsableCommand {
    static let configuration = CommandConfiguration(
        "address", "Manage fixed addresses of devices.",
        examples: [tr("peersync device address add phone 192.168.1.20")],
        subcommands: [DeviceAddressAdd.command])
}

struct DeviceAddressAdd: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "add", "Save an address for a device that is not found automatically.",
        examples: [
            tr("peersync device address add phone 192.168.1.20"),
            tr("peersync device address add phone \"[2001:db8::20]:4827\""),
        ])

    @Argument(
        help: ArgumentHelp(OptionHelp.device, valueName: "device"), completion: .names(of: .device))
    var device: String

    @Argument(help: .tr("HOST or HOST:PORT.", valueName: "address"))
    var address: String

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.devices.addAddress, id: device, AddressDraft(address: address)
        ) { tr("\(Sentence.name($0.name)) will also be tried at \(address).") }
    }
}

struct DeviceForget: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "forget", "Stop trusting a device.", examples: [tr("peersync device forget old-phone")],
        remarks: "It keeps the data it has, but gets nothing new from here until you pair again.")

    @Argument(
        help: ArgumentHelp(OptionHelp.device, valueName: "device"), completion: .names(of: .device))
    var device: String

    func run(in context: CommandContext) async throws {
        let forgotten = try await context.withService { service in
            let known = try await service.call(\.devices.list).matching(device)
            if let known {
                try await context.prompt.insist(
                    tr(
                        """
                        \(Sentence.name(known.name)) of \(Sentence.plain(known.person.name)) will \
                        no longer be trusted here until you pair again, unless you share a trip \
                        with it. What it already has, it keeps. Forget it?
                        """))
            }
            return try await service.call(\.devices.forget, id: known?.id ?? device)
        }
        try context.output.result(forgotten) { tr("\(Sentence.name($0.name)) is forgotten.") }
    }
}

extension [DeviceView] {
    /// The device that a name or id prefix means, for questions about it; nil if the agent must say
    /// why the name is wrong.
    fileprivate func matching(_ name: String) -> DeviceView? {
        let exact = filter { $0.name.lowercased() == name.lowercased() || $0.id == name }
        if exact.count == 1 { return exact.first }
        let prefixed = filter { $0.id.hasPrefix(name.lowercased()) || $0.name.hasPrefix(name) }
        return prefixed.count == 1 ? prefixed.first : nil
    }
}
