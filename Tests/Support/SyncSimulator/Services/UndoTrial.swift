import LocalAPI
import Records
import Store
import SyncCore
internal import TestKit

/// Changes that people undo and redo: without changes in between everything is restored, and
/// nothing of others is affected.
struct UndoTrial {
    let world: World
    let replica: Replica

    func run() {
        switch world.random.below(10) {
        case 0...3: writeAndUndo()
        case 4...6: undoLast()
        case 7...8: undoSince()
        default: _ = redo()
        }
    }

    // MARK: The undone changes

    /// The last change: undo restores the state before it, and redo the state after.
    private func writeAndUndo() {
        let start = replica.clock.wall.value + 1
        world.pass(2)
        guard replica.isUp, let before = shown() else { return }
        let known = ownCommits()
        if world.random.chance(50) {
            world.workshops.relate(replica)
        } else {
            world.workshops.edit(replica)
        }
        world.journaling.write(replica)
        let written = ownCommits().subtracting(known)
        let served = Set(ownCommits(in: world.services.servedSpaces(of: replica)))
        guard let after = shown(), !written.isEmpty, served.isSuperset(of: written) else { return }
        var draft = UndoDraft()
        if written.count == 1, let commit = written.first {
            draft.commit = commit.description
        } else {
            draft.device = replica.device.description
            draft.since = Moment(Milliseconds(start))
        }
        guard let seen = undo(draft, isPreview: true), seen.kept.isEmpty,
            // After a clock was set back, the action contains more than the last change.
            seen.commits == written.count
        else { return }
        guard !seen.records.isEmpty else { return compare(before, after, "doing nothing") }
        guard undo(draft) != nil else { return }
        compare(before, shown(), "undoing what was just done")
        guard redo() != nil else { return }
        compare(after, shown(), "redoing what was just done")
    }

    /// The last actions here, undone as many times.
    private func undoLast() {
        guard let before = shown() else { return }
        var draft = UndoDraft()
        draft.over = world.random.chance(15)
        var count = 0
        for _ in 0...world.random.index(below: 3) {
            guard undo(draft) != nil else { break }
            count += 1
        }
        for _ in 0..<count { guard redo() != nil else { return } }
        if count > 0 { compare(before, shown(), "\(count) undos and as many redos") }
    }

    /// Everything that a device wrote, or everybody deleted, recently.
    private func undoSince() {
        guard let before = shown(), let other = world.random.pick(world.replicas) else { return }
        var draft = UndoDraft()
        let ago = [50, 2_000, 60_000][world.random.index(below: 3)]
        draft.since = Moment(Milliseconds(replica.clock.wall.value - UInt64(ago)))
        if world.random.chance(25) {
            draft.deletions = true
        } else {
            draft.device = (world.random.chance(60) ? replica : other).device.description
        }
        guard undo(draft) != nil, world.random.chance(70), redo() != nil else { return }
        compare(before, shown(), "undoing all since a moment, and redoing it")
    }

    // MARK: Laws

    private func undo(_ draft: UndoDraft, isPreview: Bool = false) -> UndoView? {
        var draft = draft
        draft.preview = isPreview
        if world.schedule.canary == .undoesOver { draft.over = true }
        let wanted = draft
        return change(draft, "undo") { try await UndoService($0).undo(wanted) }
    }

    /// Nil also if a part is not allowed: a person with the right to write restores records but may
    /// not delete them.
    private func redo() -> UndoView? {
        let view = change(UndoDraft(), "redo") { try await UndoService($0).redo(UndoDraft()) }
        return view.flatMap { $0.kept.contains { $0.reason == .noRight } ? nil : $0 }
    }

    private func change(
        _ draft: UndoDraft, _ what: String,
        _ body: @escaping @Sendable (ServedReplica) async throws -> UndoView
    ) -> UndoView? {
        guard let before = shown(), let view = world.services.serve(replica, what, body) else {
            return nil
        }
        world.report.counts.deeds.insert(what == "redo" ? .redo : .undo)
        guard let after = shown() else { return nil }
        let isMine = draft.device == nil || draft.device == replica.device.description
        let author =
            isMine ? replica : world.replicas.first { $0.device.description == draft.device }
        if draft.deletions {
            checkOnlyExistence(before, after)
        } else if !draft.over || world.schedule.canary == .undoesOver {
            checkOthers(before, after, but: [replica.device, author?.device ?? replica.device])
        }
        return view
    }

    /// Others' writes stay unchanged, and are shown as before. A text that is put together may be written over, like a
    /// save of what is shown does it.
    private func checkOthers(_ before: Shown, _ after: Shown, but devices: Set<DeviceID>) {
        for (place, state) in before.states.sorted(by: { $0.key < $1.key }) {
            for (name, register) in state.registers {
                let others = register.writes.filter { !devices.contains($0.log.device) }
                guard !others.isEmpty else { continue }
                let now = after.states[place]?.register(name)
                let strategy = strategy(of: name.field, place)
                let isThere =
                    strategy == .mergeText
                    || others.allSatisfy { now?.writes.contains($0) ?? false }
                let isLast = register.latest.map { !devices.contains($0.log.device) } ?? false
                let isShown =
                    !isLast || strategy?.showsOthers == true
                    || now?.latest?.value == register.latest?.value
                if !isThere || !isShown {
                    world.report.fail(
                        "undo",
                        "\(replica.index) takes back \(name.field) of \(place.key.summary), which "
                            + "others wrote")
                }
            }
        }
    }

    private func checkOnlyExistence(_ before: Shown, _ after: Shown) {
        for (place, state) in before.states
        where after.states[place]?.withoutExistence != state.withoutExistence {
            world.report.fail(
                "undo", "\(replica.index) takes back more than deletions of \(place.key.collection)"
            )
        }
    }

    private func compare(_ before: Shown, _ after: Shown?, _ what: String) {
        guard let after, let first = after.differences(from: before).first else { return }
        world.report.fail("redo", "\(replica.index): after \(what) \(first) is not as it was")
    }

    // MARK: The candidates

    private func shown() -> Shown? { world.services.shown(by: replica) }

    private func ownCommits(in spaces: [SpaceID]? = nil) -> Set<CommitID> {
        let histories = (spaces ?? world.observer.spaces).compactMap {
            world.observer.histories[$0]
        }
        return Set(
            histories.flatMap(\.entries).filter {
                $0.author == replica.index && !$0.commit.operations.isEmpty
            }.map(\.commit.id))
    }

    private func strategy(of field: String, _ place: Shown.Place) -> MergeStrategy? {
        let schema = replica.store?.spaces.schema(of: place.space)
        return schema?.collection(place.key.collection)?.field(field)?.strategy
    }
}

extension MergeStrategy {
    /// Whether the shown value may come from several writes, or from another one than the last.
    fileprivate var showsOthers: Bool {
        switch self {
        case .mergeText, .longest, .mostAccurate: true
        default: false
        }
    }
}
