internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about other devices.
struct Device: ParsableCommand {
    static let configuration = CommandConfiguration(
        "device", .device,
        subcommands: [
            DeviceList.command, DeviceAddress.self, DeviceRename.command, DeviceForget.command,
            DeviceRedate.command, DeviceLost.command, DeviceFound.command,
        ])
}

struct DeviceList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .deviceList)

    func run(in context: CommandContext) async throws {
        try await context.show(\.devices.list) { devices in
            devices.isEmpty
                ? Sentence.Status.noDevices
                : DeviceTable.rendered(devices, width: context.output.width)
        }
    }
}

struct DeviceAddress: ParsableCommand {
    static let configuration = CommandConfiguration(
        "address", .deviceAddress, subcommands: [DeviceAddressAdd.command])
}

struct DeviceAddressAdd: PeersyncCommand {
    static let configuration = CommandConfiguration("add", .deviceAddressAdd)

    @Argument(
        help: ArgumentHelp(OptionHelp.device, valueName: "device"), completion: .names(of: .device))
    var device: String

    @Argument(help: ArgumentHelp(OptionHelp.address, valueName: "address")) var address: String

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.devices.addAddress, id: device, AddressDraft(address: address)
        ) { Sentence.Pairing.addressAdded(address, device: $0.name) }
    }
}

struct DeviceForget: PeersyncCommand {
    static let configuration = CommandConfiguration("forget", .deviceForget)

    @Argument(
        help: ArgumentHelp(OptionHelp.device, valueName: "device"), completion: .names(of: .device))
    var device: String

    func run(in context: CommandContext) async throws {
        let forgotten = try await context.withService { service in
            let known = try await service.call(\.devices.list).matching(device)
            if let known {
                try await context.prompt.insist(
                    Sentence.Pairing.askForget(device: known.name, person: known.person.name))
            }
            return try await service.call(\.devices.forget, id: known?.id ?? device)
        }
        try context.output.result(forgotten) { Sentence.Pairing.forgotten(device: $0.name) }
    }
}

extension [DeviceView] {
    /// The device a name or id prefix means, to ask about it; `nil` when the agent must say what is
    /// wrong with the name.
    fileprivate func matching(_ name: String) -> DeviceView? {
        let exact = filter { $0.name.lowercased() == name.lowercased() || $0.id == name }
        if exact.count == 1 { return exact.first }
        let prefixed = filter { $0.id.hasPrefix(name.lowercased()) || $0.name.hasPrefix(name) }
        return prefixed.count == 1 ? prefixed.first : nil
    }
}
