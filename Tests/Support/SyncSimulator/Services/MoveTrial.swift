import LocalAPI
import Records
import Store
import SyncCore
internal import TestKit

/// A memory is moved to another trip, and the device may stop in between: the memory is in at least
/// one of them, in both only if people are told, and a second attempt completes the move.
struct MoveTrial {
    private static let collection = "memory"

    let world: World
    let replica: Replica

    func run() {
        guard let before = world.services.shown(by: replica), let (place, target) = choice(before)
        else {
            return
        }
        let stop = world.random.chance(60) ? world.random.index(below: 3) : nil
        let isMoved = move(place, to: target, stoppingAfter: stop)
        if !replica.isUp { world.machines.start(replica) }
        check(place, target, before, isMoved: isMoved)
        guard !isMoved, world.random.chance(80) else { return }
        check(place, target, before, isMoved: move(place, to: target))
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

    private func check(
        _ place: Shown.Place, _ target: SpaceID, _ before: Shown, isMoved: Bool
    ) {
        guard let after = world.services.shown(by: replica) else { return }
        let isHere = after.values[place] != nil
        let copies = after.values.filter {
            $0.key.space == target && $0.key.key.collection == Self.collection
                && before.values[$0.key] == nil
        }
        let name = place.key.summary
        if copies.count > 1 { fail("makes \(copies.count) of \(name)") }
        if !isHere, copies.isEmpty { fail("loses \(name)") }
        if isMoved, isHere { fail("leaves \(name) where it was") }
        for values in copies.values {
            for field in ["title", "text", "weather", "position"]
            where values[field] != before.values[place]?[field] {
                fail("changes \(field) of \(name)")
            }
        }
        guard isHere, !copies.isEmpty else {
            if isMoved { world.report.counts.deeds.insert(.move) }
            return
        }
        world.report.counts.deeds.insert(.interruptedMove)
        let told = world.services.serve(replica, "look at moves") { try InterruptedMoves($0).all() }
        let isTold = told?.contains { $0.source == place.space && $0.target == target }
        if isTold == false { fail("leaves \(name) in two trips without a word") }
    }

    private func fail(_ text: String) {
        world.report.fail("move", "\(replica.index) \(text)")
    }
}
