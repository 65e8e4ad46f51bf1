internal import ArgumentParser
internal import LocalAPI

/// Stops trusting a device.
struct DeviceForget: PeersyncCommand {
    static let configuration = CommandConfiguration("forget", .deviceForget)

    @Argument(help: ArgumentHelp(OptionHelp.device, valueName: "device")) var device: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

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
