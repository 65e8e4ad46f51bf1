internal import ArgumentParser
internal import LocalAPI

/// Lists the devices this one knows.
struct DeviceList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .deviceList)

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let devices = try await context.call(\.devices.list)
        try context.output.result(devices) { devices in
            devices.isEmpty
                ? Sentence.Status.noDevices
                : DeviceTable.rendered(devices, width: context.output.width)
        }
    }
}
