internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about tags.
struct Tag: CommandFamily {
    static let configuration = CommandConfiguration(
        "tag", .tag,
        subcommands: [
            TagAdd.self,
            TagList.self,
        ])
}
