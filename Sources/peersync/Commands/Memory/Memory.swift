internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about memories.
struct Memory: CommandFamily {
    static let configuration = CommandConfiguration(
        "memory", .memory,
        subcommands: [
            MemoryAdd.self,
            MemoryList.self,
            MemoryShow.self,
            MemoryEdit.self,
            MemoryDelete.self,
            MemoryRestore.self,
        ])
}
