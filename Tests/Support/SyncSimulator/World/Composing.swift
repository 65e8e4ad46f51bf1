import Store
import SyncCore
internal import TestKit

/// People work on one text: the words of a memory, or a hint of a tool.
struct Composing {
    let world: World

    func compose(_ replica: Replica) {
        let spaces = world.observer.activeSpaces(of: replica, with: [.read, .write])
        guard let store = replica.store, let space = spaces.first,
            let schema = store.spaces.schema(of: space),
            let (collection, field) = place(in: schema)
        else { return }
        let key = RecordKey(
            collection: collection.name, record: world.recordID(collection.root, 0, in: space))
        do {
            let state = try store.records.record(key, of: space)
            let shown = state.flatMap { schema.shown($0, in: key.collection) }
            var write = Write(field: field, value: .text(text(shown?.value(field)?.text)))
            if world.random.chance(70) { write.replaces = shown?.writes(field) ?? [] }
            world.people.append(
                CommitDraft(
                    operations: [
                        RecordOperation(
                            collection: key.collection, record: key.record, writes: [write])
                    ]),
                to: space, replica)
        } catch {
            world.machines.couldNotWrite("reads nothing", error, replica)
        }
    }

    private func place(in schema: Schema) -> (CollectionSchema, field: String)? {
        let (root, field) = schema.id == world.journal.id ? ("memory", "text") : ("tool", "hint")
        return schema.collections.first { $0.root == root }.map { ($0, field) }
    }

    /// With another word in one place, one more, or one less; of few words, so that the same ones stand side by side.
    private func text(_ shown: String?) -> String {
        var words = (shown ?? "the sea the town and the hill").split(separator: " ")
        for _ in 0...world.random.index(below: 2) where !words.isEmpty {
            let place = world.random.index(below: words.count)
            let word = world.random.pick(["the", "größer", "sea", "海"]) ?? "the"
            switch world.random.below(3) {
            case 0: words[place] = word[...]
            case 1 where words.count < 24: words.insert(word[...], at: place)
            default: words.remove(at: place)
            }
        }
        return words.joined(separator: " ")
    }
}
