import LocalAPI
import Records
import Store
import SyncCore
internal import TestKit

/// A memory is moved to another trip, and the device may stop in between: the memory is in at least
/// one of them, in both only if people are told, and a second attempt completes the move.
struct MoveTrial {
    private static let collection = "memory"
    private static let fields = ["title", "text", "weather", "position"]

    let world: World
    let replica: Replica

    func run() {
        guard let before = world.services.shown(by: replica), let (place, target) = choice(before)
        else {
            return
        }
        let stop = world.random.chance(60) ? world.random.index(below: 3) : nil
        let wasTold = isTold(place, target) == true
        let isMoved = move(place, to: target, stoppingAfter: stop)
        if !replica.isUp { world.machines.start(replica) }
        check(place, target, before, isMoved: isMoved, wasTold: wasTold)
        guard !isMoved, world.random.chance(80) else { return }
        check(place, target, before, isMoved: move(place, to: target), wasTold: wasTold)
    }

    private func choice(_ shown: Shown) -> (place: Shown.Place, target: SpaceID)? {
        let trips = world.services.servedSpaces(of: replica, with: [.read, .write]).filter {
            let ledger = replica.ledger(of: $0)
            return ledger?.schema.schema == world.journal.id
                && ledger?.membership.isToBeSealed == false
        }
        let places = shown.values.keys.filter {
            $0.key.collection == Self.collection && trips.contains($0.space)
        }
        guard let place = world.random.pick(places.sorted()),
            let target = world.random.pick(trips.filter { $0 != place.space })
        else { return nil }
        return (place, target)
    }

    private func move(
        _ place: Shown.Place, to target: SpaceID, stoppingAfter writes: Int? = nil
    ) -> Bool {
        let (source, key) = (place.space.description, place.key)
        let moved = world.services.serve(replica, "move", stoppingAfter: writes) { served in
            let records = RecordService(served)
            let from = try records.place(source, key.collection)
            let to = try records.place(target.description, key.collection)
            guard let entry = try records.reader(from).entry(key) else { return false }
            let move = try RecordMove(
                records, [entry], from: from, to: to, leavingOut: [], counterpart: { _, _ in nil })
            return try await !move.carryOut(.addMemory, .deleteMemory).isEmpty
        }
        return moved == true
    }

    /// `wasTold` is whether people were told before that a move between the two was interrupted.
    private func check(
        _ place: Shown.Place, _ target: SpaceID, _ before: Shown, isMoved: Bool, wasTold: Bool
    ) {
        guard let after = world.services.shown(by: replica) else { return }
        let isHere = after.values[place] != nil
        let copies = after.values.filter {
            $0.key.space == target && $0.key.key.collection == Self.collection
                && before.values[$0.key] == nil
        }
        let name = place.key.summary
        if copies.count > 1 { fail("makes \(copies.count) of \(name)") }
        // Such a move is completed with the copy that it left.
        let hasCopy =
            !copies.isEmpty
            || wasTold
                && before.values.contains { there, values in
                    there.space == target && there.key.collection == Self.collection
                        && after.values[there] != nil
                        && Self.fields.allSatisfy { values[$0] == before.values[place]?[$0] }
                }
        if !isHere, !hasCopy { fail("loses \(name)") }
        if isMoved, isHere { fail("leaves \(name) where it was") }
        for values in copies.values {
            for field in Self.fields
            where values[field] != before.values[place]?[field] {
                fail("changes \(field) of \(name)")
            }
        }
        guard isHere, !copies.isEmpty else {
            if isMoved { world.report.counts.deeds.insert(.move) }
            return
        }
        world.report.counts.deeds.insert(.interruptedMove)
        if isTold(place, target) == false { fail("leaves \(name) in two trips without a word") }
    }

    /// Nil when the device does not answer.
    private func isTold(_ place: Shown.Place, _ target: SpaceID) -> Bool? {
        let told = world.services.serve(replica, "look at moves") { try InterruptedMoves($0).all() }
        return told?.contains { $0.source == place.space && $0.target == target }
    }

    private func fail(_ text: String) {
        world.report.fail("move", "\(replica.index) \(text)")
    }
}
