internal import ArgumentParser
internal import LocalAPI

/// What spaces may hold.
struct SchemaFamily: CommandFamily {
    static let configuration = CommandConfiguration(
        "schema", .schema,
        subcommands: [SchemaCheck.self, SchemaShow.self, SchemaChange.self])
}
