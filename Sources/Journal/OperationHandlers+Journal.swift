internal import LocalAPI
package import Records

extension OperationHandlers {
    /// Adds the functions of trips as journals: memories, their media, tags and bucket lists.
    package mutating func addJournalHandlers() {
        let journal = JournalService(replica)
        let lists = JournalLists(replica)
        let schemas = SchemaChangeService(replica)
        on(\.spaces.close) { trip, _ in try await journal.setActive(trip, false) }
        on(\.spaces.reopen) { trip, _ in try await journal.setActive(trip, true) }
        on(\.spaces.upgrade) { trip, _ in try await schemas.upgrade(ofTrip: trip) }
        reading(\.memories.list, telling: .syncAndFiles) { try journal.memories($1) }
        on(\.memories.add) { try await journal.addMemory($1) }
        reading(\.memories.show, telling: .syncAndFiles) { memory, _ in
            try journal.showMemory(memory)
        }
        on(\.memories.edit) { try await journal.editMemory($0, $1) }
        on(\.memories.delete) { memory, _ in try await journal.deleteMemory(memory) }
        on(\.memories.restore) { memory, _ in try await journal.restoreMemory(memory) }
        on(\.memories.move) { try await journal.moveMemories($1) }
        on(\.memories.merge) { try await journal.mergeMemories($1) }
        reading(\.media.list, telling: .syncAndFiles) { try journal.media($1) }
        on(\.media.export) { try await journal.exportMedia($0, $1) }
        on(\.media.edit) { try await journal.editMedia($0, $1) }
        reading(\.tags.show) { try lists.showTag($0, $1) }
        on(\.tags.edit) { try await lists.editTag($0, $1) }
        on(\.tags.merge) { try await lists.mergeTag($0, $1) }
        on(\.tags.delete) { try await lists.deleteTag($0, $1) }
        reading(\.tags.list) { try lists.tags($1) }
        on(\.tags.add) { try await lists.addTag($1) }
        reading(\.bucket.list) { try lists.bucketItems($1) }
        on(\.bucket.add) { try await lists.addBucketItem($1) }
        reading(\.bucket.show) { try lists.showBucketItem($0, $1) }
        on(\.bucket.edit) { try await lists.editBucketItem($0, $1) }
        on(\.bucket.merge) { try await lists.mergeBucketItem($0, $1) }
        on(\.bucket.delete) { try await lists.deleteBucketItem($0, $1) }
        on(\.bucket.finish) { item, _ in try await lists.finishBucketItem(item) }
    }
}
