internal import ArgumentParser
internal import LocalAPI

/// Groups the commands that find out what is wrong.
struct Doctor: CommandFamily {
    static let configuration = CommandConfiguration(
        "doctor", .doctor,
        subcommands: [
            DoctorNetwork.self
        ])
}
