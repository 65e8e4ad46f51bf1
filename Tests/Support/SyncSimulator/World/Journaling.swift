import Store
import SyncCore
internal import TestKit
import Wire

/// People's writes: records of the journal, so few that their edits collide.
struct Journaling {
    let world: World

    func write(_ replica: Replica) {
        guard let store = replica.store,
            let space = world.random.pick(
                world.observer.activeSpaces(of: replica).filter { isJournal($0, replica) })
        else { return }
        do {
            var operations = [try memory(in: space, store)]
            // Some commits have several parts.
            if world.random.chance(15) { operations.append(try memory(in: space, store)) }
            if world.random.chance(20) {
                let item = world.recordID("bucket_item", world.random.below(2), in: space)
                operations.append(
                    RecordOperation(
                        collection: "bucket_item", record: item,
                        writes: [Write(field: "done", value: .boolean(world.random.chance(50)))]))
            }
            world.people.append(
                CommitDraft(clear: ClearPart(), operations: operations), to: space, replica)
        } catch {
            world.machines.couldNotWrite("reads nothing", error, replica)
        }
    }

    /// A person finds that the clock of a device is, or was, wrong: dates far from now are moved to
    /// about now, or all are restored.
    func redate(_ replica: Replica) {
        guard let space = world.random.pick(world.observer.activeSpaces(of: replica)) else {
            return
        }
        let now = replica.clock.wall.value
        let offset = [0, -3_600_000, -315_360_000_000, 315_360_000_000][
            world.random.index(below: 4)]
        let span =
            world.random.chance(50) ? 0...(.max >> 16) : now + 1_000...(.max >> 16)
        let redating = Redating(
            device: replica.device, span: span, offsetMilliseconds: Int64(offset))
        world.people.append(
            CommitDraft(clear: ClearPart(facts: [.redating(redating)]), operations: []),
            to: space, replica)
    }

    private func isJournal(_ space: SpaceID, _ replica: Replica) -> Bool {
        replica.ledger(of: space)?.schema.schema == world.journal.id
    }

    private func memory(in space: SpaceID, _ store: SyncStore) throws -> RecordOperation {
        let id = world.recordID("memory", world.random.below(4), in: space)
        let state = try store.records.record(RecordKey(collection: "memory", record: id), of: space)
        var writes: [Write] = []
        switch world.random.below(10) {
        case 0: writes.append(.deletion(state?.isDeleted != true))
        case 1...3: return try tagged(id, in: space, store)
        default:
            for field in ["title", "text", "weather"] where world.random.chance(50) {
                writes.append(write(field, in: state))
            }
            if writes.isEmpty { writes.append(write("title", in: state)) }
            if let last = writes.last, last.field == "weather" {
                writes.append(position(from: last))
            }
        }
        return RecordOperation(collection: "memory", record: id, writes: writes)
    }

    /// Half of the saves contain their author's view.
    private func write(_ field: String, in state: RecordState?) -> Write {
        let shown = state?.fields[field]?.writes.map(\.id) ?? []
        let number = world.random.next() & 0xFFFF
        let value = field == "text" ? text(number, in: state) : "\(field) \(number)"
        return Write(
            field: field, value: .text(value), replaces: world.random.chance(50) ? shown : nil)
    }

    private func text(_ number: UInt64, in state: RecordState?) -> String {
        let shown = state.flatMap { world.journal.shown($0, in: "memory") }?.value("text")?.text
        return anotherText(shown ?? "It rained. We sang, and ate.", number)
    }

    /// A text with another word in one place, or one more word.
    func anotherText(_ shown: String, _ number: UInt64) -> String {
        var words = shown.split(separator: " ")
        let word = "w\(number & 0xF)"[...]
        guard !words.isEmpty else { return String(word) }
        let place = Int(number >> 4) % words.count
        if number & 0x8000 == 0 || words.count > 20 {
            words[place] = word
        } else {
            words.insert(word, at: place)
        }
        return words.joined(separator: " ")
    }

    /// More or less accurate than the write beside it.
    private func position(from write: Write) -> Write {
        let radius = Double((write.value.canonicalBytes.last ?? 0) % 4)
        let place = PositionValue(
            latitude: 48, longitude: 16, radiusMetres: radius == 0 ? nil : radius)
        return Write(field: "position", value: .position(place), replaces: write.replaces)
    }

    private func tagged(
        _ id: RecordID, in space: SpaceID, _ store: SyncStore
    ) throws -> RecordOperation {
        let tag = world.recordID("tag", world.random.below(2), in: space)
        let isKnown =
            try store.records.record(RecordKey(collection: "tag", record: tag), of: space) != nil
        let element = Value.reference(tag)
        return RecordOperation(
            collection: isKnown ? "memory" : "tag", record: isKnown ? id : tag,
            writes: isKnown
                ? [Write(field: "tags", element: element, value: .boolean(world.random.chance(70)))]
                : [Write(field: "name", value: .text("Tag \(world.random.next() & 0xFF)"))])
    }

    /// A photo: its bytes are durable here before a commit names them.
    func addPhoto(_ replica: Replica) {
        guard
            let space = world.random.pick(
                world.observer.activeSpaces(of: replica, with: [.read, .write]).filter {
                    isJournal($0, replica)
                }),
            let picture = world.random.pick(Picture.all)
        else { return }
        add(picture, to: space, replica)
    }

    func add(_ picture: Picture, to space: SpaceID, _ replica: Replica) {
        guard let store = replica.store else { return }
        let blob = picture.list.blobID
        // A failing disk may nevertheless keep the data.
        world.fileCheck.bring(blob, to: space)
        do {
            if picture.isSmall {
                try store.files.storeSmall(
                    [(blob, picture.bytes)], in: space, now: replica.clock.wall)
            } else {
                replica.storage.shelf.put(picture.bytes, as: blob)
                try store.files.markPresent(
                    [(blob, picture.list)], in: space, now: replica.clock.wall)
            }
            // A peer may have requested it.
            try world.files.finished(blob, replica)
            let named = NamedBlob(
                blob: blob, size: UInt64(picture.bytes.count), kind: .original)
            let memory = world.recordID("memory", world.random.below(4), in: space)
            let media = RecordOperation(
                collection: "media",
                record: world.recordID("media", world.random.below(64), in: space),
                writes: [
                    Write(field: "original", value: .blob(blob)),
                    Write(field: "memory", value: .reference(memory)),
                ])
            world.people.append(
                CommitDraft(clear: ClearPart(blobs: [named]), operations: [media]),
                to: space, replica)
        } catch {
            world.machines.couldNotWrite("keeps no photo", error, replica)
        }
    }
}

extension World {
    var journaling: Journaling { Journaling(world: self) }
}
