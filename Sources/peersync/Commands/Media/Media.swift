internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about photos and files.
struct Media: CommandFamily {
    static let configuration = CommandConfiguration(
        "media", .media,
        subcommands: [
            MediaList.self,
            MediaGet.self,
        ])
}
