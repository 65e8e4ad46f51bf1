import Journal
import LocalAPI

extension LocalAgent {
    mutating func addMemoryHandlers() {
        let journal = JournalService(runtime.node)
        reading(\.memories.list) { try journal.memories($1) }
        on(\.memories.add) { try await journal.addMemory($1) }
        reading(\.memories.show) { memory, _ in try journal.showMemory(memory) }
        on(\.memories.edit) { try await journal.editMemory($0, $1) }
        on(\.memories.delete) { memory, _ in try await journal.deleteMemory(memory) }
        on(\.memories.restore) { memory, _ in try await journal.restoreMemory(memory) }
        reading(\.media.list) { try journal.media($1) }
        on(\.media.export) { try await journal.exportMedia($0, $1) }
        on(\.media.edit) { try await journal.editMedia($0, $1) }
        reading(\.tags.show) { try journal.showTag($0, $1) }
        on(\.tags.edit) { try await journal.editTag($0, $1) }
        on(\.tags.merge) { try await journal.mergeTag($0, $1) }
        on(\.tags.delete) { try await journal.deleteTag($0, $1) }
        reading(\.tags.list) { try journal.tags($1) }
        on(\.tags.add) { try await journal.addTag($1) }
        reading(\.bucket.list) { try journal.bucketItems($1) }
        on(\.bucket.add) { try await journal.addBucketItem($1) }
        reading(\.bucket.show) { try journal.showBucketItem($0, $1) }
        on(\.bucket.edit) { try await journal.editBucketItem($0, $1) }
        on(\.bucket.merge) { try await journal.mergeBucketItem($0, $1) }
        on(\.bucket.delete) { try await journal.deleteBucketItem($0, $1) }
        on(\.bucket.finish) { item, _ in try await journal.finishBucketItem(item) }
    }
}
