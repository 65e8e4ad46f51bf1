internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about other devices.
struct Device: CommandFamily {
    static let configuration = CommandConfiguration(
        "device", .device,
        subcommands: [
            DeviceList.self,
            DeviceAddress.self,
            DeviceForget.self,
        ])
}
