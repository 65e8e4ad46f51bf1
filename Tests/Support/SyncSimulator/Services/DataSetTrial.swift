import LocalAPI
import Records
import Store
import SyncCore
internal import Synchronization
internal import TestKit

/// Admins that apply a data set in any versions, also apart, and people who write over its rows:
/// people's values stay, everything else follows the set.
final class DataSetTrial {
    private unowned let world: World
    private let set: SimulatedSet
    /// Spaces to which a data set was applied, with the highest versions.
    private var applied: [SpaceID: SimulatedSet.Version] = [:]
    /// The spaces in which one version's rows may not count while the next one's do.
    private var unsureSets: Set<SpaceID> = []

    init(world: World) {
        self.world = world
        set = SimulatedSet(seed: world.schedule.seed)
    }

    /// The space in which a set is applied, and the device that does it.
    private struct Place {
        let replica: Replica
        let space: SpaceID
    }

    /// One device, or another that may do it.
    private func place(near replica: Replica) -> Place? {
        let others = world.replicas.filter { $0.index != replica.index && $0.isHonest }
        for one in [replica] + others.shuffled(using: &world.random) where one.isUp {
            let trips = world.services.servedSpaces(
                of: one, with: [.read, .write, .delete, .admin]
            ).filter {
                one.ledger(of: $0)?.schema.schema == world.journal.id
            }
            if let space = world.random.pick(trips) { return Place(replica: one, space: space) }
        }
        return nil
    }

    // MARK: Applying

    func apply(by replica: Replica) {
        guard let place = place(near: replica) else { return }
        settle(at: place)
        let version = SimulatedSet.Version(
            reference: 1 + world.random.index(below: SimulatedSet.greatest),
            samples: 1 + world.random.index(below: SimulatedSet.greatest))
        var draft = DataSetDraft(path: version.path, space: place.space.description)
        draft.theirs = world.random.chance(10)
        draft.missing = world.random.chance(10)
        apply(draft, version, at: place)
        for _ in 0..<world.random.index(below: 3) {
            if let other = world.random.pick(world.replicas) {
                writeOver(by: other, in: place.space)
            }
        }
    }

    @discardableResult
    private func apply(
        _ draft: DataSetDraft, _ version: SimulatedSet.Version, at place: Place
    ) -> DataSetReport? {
        guard let before = shown(at: place) else { return nil }
        let files = set.folders
        let report = world.services.serve(place.replica, "apply a data set") {
            try await DataSetService($0, files: files).apply(draft)
        }
        guard let report, let after = shown(at: place) else { return nil }
        world.report.counts.deeds.insert(.dataSet)
        applied[place.space, default: version].rise(to: version)
        checkOthers(before, after, at: place)
        if !draft.theirs, !draft.missing { checkPeople(before, after, at: place) }
        let raised = report.levels.filter { $0.outcome == .update }.map(\.level)
        checkRows(
            after, version, of: raised, isStrict: draft.theirs && draft.missing, place.space,
            place.replica)
        return report
    }

    /// Settles versions that were applied apart, as an agent does after a sync. Returns how many levels it wrote.
    @discardableResult
    private func settle(at place: Place) -> Int {
        guard let before = shown(at: place) else { return 0 }
        let space = place.space
        let written = world.services.serve(place.replica, "settle a data set") { served in
            let levels = Mutex(0)
            try await DataSetSettling(served).settle(in: space) { result in
                if case .success(let report) = result {
                    levels.withLock { $0 += report.levels.count }
                }
            }
            return levels.withLock { $0 }
        }
        guard let written, written > 0, let after = shown(at: place) else { return 0 }
        checkOthers(before, after, at: place)
        checkPeople(before, after, at: place)
        return written
    }

    /// A person writes over a row, deletes it, restores it, or uses it.
    private func writeOver(by replica: Replica, in space: SpaceID) {
        guard replica.isUp, world.observer.activeSpaces(of: replica).contains(space),
            let key = world.random.pick(set.records(of: space).keys.sorted())
        else { return }
        let title = key.collection == "bucket_item" ? "title" : "name"
        var operation = RecordOperation(key, [])
        switch world.random.below(10) {
        case 0...1: operation.writes = [.deletion(world.random.chance(70))]
        case 2...4 where key.collection == "tag":
            let memory = world.recordID("memory", world.random.below(4), in: space)
            operation = RecordOperation(
                RecordKey(collection: "memory", record: memory),
                [Write(field: "tags", element: .reference(key.record), value: .boolean(true))])
        default:
            operation.writes = [
                Write(field: title, value: .text("mine \(world.random.below(100))"))
            ]
        }
        world.people.append(CommitDraft(operations: [operation]), to: space, replica)
    }

    // MARK: The full reset

    func reset(by replica: Replica) {
        guard let place = place(near: replica), let before = shown(at: place) else { return }
        let version = SimulatedSet.Version(
            reference: 1 + world.random.index(below: SimulatedSet.greatest),
            samples: 1 + world.random.index(below: SimulatedSet.greatest),
            reset: 1 + world.random.index(below: 3))
        let draft = DataSetResetDraft(path: version.path, space: place.space.description)
        let files = set.folders
        let report = world.services.serve(place.replica, "reset") {
            try await DataSetService($0, files: files).reset(draft)
        }
        guard report != nil, let after = shown(at: place) else { return }
        world.report.counts.deeds.insert(.reset)
        applied[place.space] = version
        unsureSets.insert(place.space)
        let rows = set.rows(in: version, of: place.space)
        let history = closure(of: before, in: place.space)
        let title = world.journal.titleRecord(in: place.space)
        for key in Set(before.keys(in: place.space)).union(after.keys(in: place.space)).sorted()
        where !Schema.everywhere.contains(where: { $0.name == key.collection }) && key != title {
            let here = Shown.Place(space: place.space, key: key)
            let isToStay = rows[key] != nil || history.contains(key)
            if (after.values[here] != nil) != isToStay {
                fail("reset", place.replica, key, isToStay ? "loses" : "keeps")
            }
            if rows[key] == nil, isToStay, after.states[here] != before.states[here] {
                fail("reset", place.replica, key, "changes")
            }
        }
        checkRows(
            after, version, of: [.reference, .samples], isStrict: true, place.space, place.replica)
    }

    /// History, and all records that it refers to, directly or not.
    private func closure(of shown: Shown, in space: SpaceID) -> Set<RecordKey> {
        var found: Set<RecordKey> = []
        var rest = shown.keys(in: space).filter { $0.collection == SimulatedSet.history }
        while let key = rest.popLast() {
            let place = Shown.Place(space: space, key: key)
            guard shown.values[place] != nil, let state = shown.states[place],
                found.insert(key).inserted
            else { continue }
            let links = ["tags": "tag", "bucket_item": "bucket_item", "category": "tag_category"]
            for (name, register) in state.registers where links[name.field] != nil {
                let isIn = name.element == nil || register.latest?.value == .boolean(true)
                let target = name.element?.reference ?? register.latest?.value.reference
                guard isIn, let target, let collection = links[name.field] else { continue }
                rest.append(RecordKey(collection: collection, record: target))
            }
        }
        return found
    }

    // MARK: Laws

    private func shown(at place: Place) -> Shown? {
        guard let store = place.replica.store else { return nil }
        do {
            return try Shown([place.space], store)
        } catch {
            world.machines.couldNotWrite("reads nothing", error, place.replica)
            return nil
        }
    }

    private func fail(_ check: String, _ replica: Replica, _ key: RecordKey, _ what: String) {
        world.report.fail(check, "\(replica.index) \(what) \(key.summary)")
    }

    /// Records of people are untouched.
    private func checkOthers(_ before: Shown, _ after: Shown, at place: Place) {
        let rows = set.records(of: place.space)
        for (here, state) in before.states.sorted(by: { $0.key < $1.key })
        where rows[here.key] == nil && here.key.collection != Schema.AppliedSet.collection {
            if after.states[here] != state {
                fail("data set", place.replica, here.key, "changes, which is no row,")
            }
        }
    }

    /// A person's value over a row stays, and so does the row.
    private func checkPeople(_ before: Shown, _ after: Shown, at place: Place) {
        for (key, fields) in set.records(of: place.space).sorted(by: { $0.key < $1.key }) {
            let here = Shown.Place(space: place.space, key: key)
            guard let state = before.states[here] else { continue }
            for (name, register) in state.fields where !register.isBySets {
                let value = register.latest?.value
                // A value equal to the set's previous one follows it.
                if let value, fields[name]?.contains(value) == true { continue }
                if name == Write.existence, value == .boolean(false) { continue }
                if after.states[here]?.fields[name]?.latest?.value != value {
                    fail("data set", place.replica, key, "writes over \(name) of")
                }
                if name != Write.existence, before.values[here] != nil, after.values[here] == nil {
                    fail("data set", place.replica, key, "deletes, which a person changed,")
                }
            }
        }
    }

    /// Rows that no person changed equal the file.
    private func checkRows(
        _ shown: Shown, _ version: SimulatedSet.Version, of levels: [DataSetLevel],
        isStrict: Bool, _ space: SpaceID, _ replica: Replica
    ) {
        let rows = set.rows(in: version, of: space)
        for (key, fields) in rows.sorted(by: { $0.key < $1.key })
        where levels.contains(key.collection == "bucket_item" ? .samples : .reference) {
            let state = shown.states[Shown.Place(space: space, key: key)]
            guard isStrict || state?.fields[Write.existence]?.isBySets != false else { continue }
            if state == nil || state?.isDeleted == true {
                fail("data set", replica, key, "does not have")
            }
            for (name, value) in fields {
                let register = state?.fields[name]
                guard isStrict || register?.isBySets != false else { continue }
                if register?.latest?.value != value {
                    fail("data set", replica, key, "has another \(name) of")
                }
            }
        }
    }

    // MARK: The end

    /// What a group of devices shows of a set at the end.
    private struct Ending {
        let group: [Replica]
        let place: Place
        let version: SimulatedSet.Version
        let isStrict: Bool
    }

    /// When all have met, the highest version is applied once more, and all have its rows. A device that misbehaves
    /// may bring a higher version after all others have met: then it is done again.
    func applyLast() {
        guard !applied.isEmpty else { return }
        world.random = SeededGenerator(seed: world.schedule.seed ^ 0x6C61_7374)
        world.report.trace.note("apply last", text: "at \(world.timeline.now)")
        for _ in 0..<SimulatedSet.greatest {
            settleAll()
            let endings = applyHighest()
            guard !endings.isEmpty, !world.report.isHopeless else { return }
            world.healing.heal()
            if endings.allSatisfy({ applied(at: $0.place) == $0.version }) {
                return endings.forEach(check)
            }
        }
        world.report.fail("data set", "a higher version comes again and again")
    }

    private func applyHighest() -> [Ending] {
        var endings: [Ending] = []
        for space in applied.keys.sorted() {
            for group in world.convergence.groups(of: space) {
                guard let place = admin(of: space, in: group), let version = applied(at: place)
                else { continue }
                var draft = DataSetDraft(path: version.path, space: space.description)
                let isStrict = world.random.chance(40)
                (draft.theirs, draft.missing) = (isStrict, isStrict)
                guard apply(draft, version, at: place) != nil else { continue }
                endings.append(
                    Ending(group: group, place: place, version: version, isStrict: isStrict))
            }
        }
        return endings
    }

    private func check(_ ending: Ending) {
        let space = ending.place.space
        guard ending.isStrict || !unsureSets.contains(space) else { return }
        for replica in ending.group {
            guard let shown = shown(at: Place(replica: replica, space: space)) else { continue }
            checkRows(
                shown, ending.version, of: [.reference, .samples], isStrict: ending.isStrict,
                space, replica)
        }
    }

    /// Until no device has anything to settle: each writes once for a lower version at most.
    private func settleAll() {
        for _ in 0...world.replicas.count * SimulatedSet.greatest {
            var written = 0
            for space in applied.keys.sorted() {
                for replica in world.convergence.groups(of: space).flatMap({
                    admins(of: space, in: $0)
                }) {
                    written += settle(at: Place(replica: replica, space: space))
                }
            }
            guard written > 0, !world.report.isHopeless else { return }
            world.healing.heal()
        }
        world.report.fail("data set", "settling does not end")
    }

    private func admins(of space: SpaceID, in group: [Replica]) -> [Replica] {
        group.filter {
            world.observer.activeSpaces(of: $0, with: [.read, .write, .delete, .admin]).contains(
                space)
        }
    }

    private func admin(of space: SpaceID, in group: [Replica]) -> Place? {
        world.random.pick(admins(of: space, in: group)).map { Place(replica: $0, space: space) }
    }

    /// The version of the set that the space has.
    private func applied(at place: Place) -> SimulatedSet.Version? {
        let filter = DataSetFilter(space: place.space.description)
        let sets = world.services.serve(place.replica, "list data sets") {
            try DataSetService($0).list(filter)
        }
        func version(_ level: DataSetLevel) -> Int? { sets?.first { $0.level == level }?.version }
        guard let reference = version(.reference), let samples = version(.samples) else {
            return nil
        }
        return SimulatedSet.Version(reference: reference, samples: samples)
    }
}

extension Register {
    /// Whether only data sets wrote it.
    fileprivate var isBySets: Bool {
        writes.allSatisfy { $0.precedence < Precedence.user.rawValue }
    }
}

extension SimulatedSet.Version {
    fileprivate mutating func rise(to other: SimulatedSet.Version) {
        reference = max(reference, other.reference)
        samples = max(samples, other.samples)
    }
}

extension Shown {
    fileprivate func keys(in space: SpaceID) -> [RecordKey] {
        states.keys.filter { $0.space == space }.map(\.key).sorted()
    }
}
