internal import ArgumentParser
internal import LocalAPI

/// Remembers an address for a device.
struct DeviceAddressAdd: PeersyncCommand {
    static let configuration = CommandConfiguration("add", .deviceAddressAdd)

    @Argument(help: ArgumentHelp(OptionHelp.device, valueName: "device")) var device: String

    @Argument(help: ArgumentHelp(OptionHelp.address, valueName: "address")) var address: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let changed = try await context.call(
            \.devices.addAddress, id: device, AddressDraft(address: address))
        try context.output.result(changed) {
            Sentence.Pairing.addressAdded(address, device: $0.name)
        }
    }
}
