internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about addresses of devices.
struct DeviceAddress: CommandFamily {
    static let configuration = CommandConfiguration(
        "address", .deviceAddress,
        subcommands: [
            DeviceAddressAdd.self
        ])
}
