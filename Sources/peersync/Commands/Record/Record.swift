internal import ArgumentParser
internal import LocalAPI

/// Records of any schema.
struct Record: CommandFamily {
    static let configuration = CommandConfiguration(
        "record", .record,
        subcommands: [
            RecordAdd.self, RecordSet.self, RecordGet.self, RecordList.self, RecordDelete.self,
            RecordRestore.self, RecordStatusCommand.self,
        ])
}
