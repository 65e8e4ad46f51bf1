internal import ArgumentParser
internal import LocalAPI

/// Spaces of any schema.
struct Space: CommandFamily {
    static let configuration = CommandConfiguration(
        "space", .space,
        subcommands: [
            SpaceCreate.self, SpaceList.self, SpaceShow.self, SpaceGrant.self, SpaceAccept.self,
            SpaceLeave.self, SpaceCheck.self, SpaceDelete.self, SpaceRestore.self,
        ])
}
