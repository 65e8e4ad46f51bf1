internal import LocalAPI
internal import Store
internal import SyncCore

/// The result of undoing commits of one space: everything that they wrote and nobody overwrote is as it was
/// without them.
struct UndoPlan {
    let space: ReadableSpace
    /// The commits to undo, completely or in part.
    let commits: Set<CommitID>
    private(set) var operations: [RecordOperation] = []
    private(set) var undone: [UndoView.Undone] = []
    private(set) var kept: [UndoView.Kept] = []
    /// Whether the commits wrote a value that this device had written before: a decision for the shown value,
    /// or a data set that is applied again.
    private(set) var isConfirming = false

    var onlyRemoves: Bool { undone.allSatisfy { $0.kind == .removed } }
    var lacksRight: Bool { kept.contains { $0.reason == .noRight } }

    private let replica: any Replica
    private let reader: RecordReader
    private let left: LeftOut
    private let isOver: Bool
    private let isOnlyDeletions: Bool
    /// The planned writes, by record.
    private var planned: [RecordID: [Write]] = [:]

    /// Nil for a space that this device no longer has, or whose schema is unknown here.
    init?(
        _ replica: any Replica, _ id: SpaceID, _ commits: [StoredCommit],
        leavingOut left: LeftOut, over isOver: Bool, onlyDeletions isOnlyDeletions: Bool
    ) throws {
        guard let space = try SpaceDirectory(replica).readable().first(where: { $0.id == id }),
            let schema = replica.schema(of: id)
        else { return nil }
        (self.space, self.replica, self.isOver) = (space, replica, isOver)
        (self.left, self.isOnlyDeletions) = (left, isOnlyDeletions)
        self.commits = Set(commits.map(\.commit.id))
        let operations = commits.flatMap(\.commit.operations).map { schema.current($0) }
        var touched: [RecordKey] = []
        var known: Set<RecordKey> = []
        for operation in operations
        where operation.isTitle(of: id) || Schema.isUndone(operation.collection) {
            if operation.isTouch { continue }
            if isOnlyDeletions, !operation.writes.contains(where: \.isDeletion) { continue }
            let key = RecordKey(collection: operation.collection, record: operation.record)
            if known.insert(key).inserted { touched.append(key) }
        }
        reader = RecordReader(
            replica, id, schema, isBulk: touched.count > Limits.recordsReadSingly)
        let past = try replica.store.past.commits(writingTo: touched, in: id)
        let byRecord = UndoPlan.byRecord(past)
        // Parts go before their owners, so that no reference dangles.
        for key in touched.reversed() {
            try plan(key, byRecord[key.record] ?? [])
        }
    }

    private static func byRecord(_ past: [PastCommit]) -> [RecordID: [PastCommit]] {
        var found: [RecordID: [PastCommit]] = [:]
        for commit in past {
            for record in Set(commit.stored.commit.operations.map(\.record)) {
                found[record, default: []].append(commit)
            }
        }
        return found
    }

    // MARK: One record

    /// A record, now and without the undone commits.
    private struct Subject {
        let key: RecordKey
        let entry: ShownEntry
        let reference: Reference
        let past: [PastCommit]
        /// With all commits.
        let full: RecordPast
        let without: RecordPast
    }

    private mutating func plan(_ key: RecordKey, _ past: [PastCommit]) throws {
        guard let entry = try reader.entry(key) else { return }
        let subject = Subject(
            key: key, entry: entry,
            reference: Reference(key.record, name: reader.title(entry.record, in: key.collection)),
            past: past, full: try RecordPast(of: key, past, under: reader.schema),
            without: try RecordPast(of: key, past, under: reader.schema, leavingOut: left))
        // A space is deleted and restored by other commands.
        let isTitle = RecordOperation(key, []).isTitle(of: space.id)
        let maker = subject.full.statements.first(where: \.isEffective)?.commitID
        if let maker, commits.contains(maker), !isOnlyDeletions {
            if !isTitle { try remove(subject) }
            return
        }
        var writes: [Write] = []
        var fields: [UndoView.Undone.Field] = []
        var kind = UndoView.Undone.Kind.changed
        for name in registers(of: subject.full) where !isTitle || name.field != Write.existence {
            guard let (write, value, then) = try undoing(name, of: subject) else { continue }
            writes.append(write)
            if name.field == Write.existence {
                kind = write.isDeletion ? .removed : .restored
            } else {
                // The applied version of a data set is not a text for people.
                if key.collection != Schema.AppliedSet.collection {
                    fields.append(try field(name, value, then))
                }
            }
        }
        try add(RecordOperation(key, writes), kind, fields, subject.reference)
    }

    /// The writes that undo one register, with its values now and then; nil where it stays, or needs
    /// nothing.
    private mutating func undoing(
        _ name: RegisterName, of subject: Subject
    ) throws -> (write: Write, value: Value, then: Value)? {
        let now = subject.entry.state.register(name)?.writes ?? []
        let latest = now.max(by: SurvivingWrite.isOlder)
        let own = now.filter { subject.without.leftOut[$0.id] != nil }
        guard isOver || !own.isEmpty else {
            keep(subject.reference, .changedSince, in: name, by: latest?.log.device)
            return nil
        }
        let value = shown(name, subject.entry.state, subject.key)
        var then = shown(name, subject.without.state, subject.key)
        if own.isEmpty || isOver && value == then {
            then = shown(name, try before(subject).state, subject.key)
        }
        if value == then { noteEqual(name, value, own, of: subject) }
        guard value != then else { return nil }
        guard now.allSatisfy({ $0.precedence <= reader.precedence }) else {
            keep(subject.reference, .outranked, in: name, by: latest?.log.device)
            return nil
        }
        guard try !isInClear(then) else {
            keep(subject.reference, .inClear, in: name)
            return nil
        }
        func write(over writes: [SurvivingWrite]) -> Write {
            Write(
                field: name.field, element: name.element, value: then,
                replaces: writes.map(\.id),
                precedence: precedence(over: writes, in: subject.key.collection))
        }
        guard !isOver, own.count < now.count, strategy(of: name, in: subject.key) == .mergeText
        else { return (write(over: isOver ? now : own), value, then) }
        var beside = write(over: own)
        guard let text = try subject.full.text(showing: then, by: beside, at: replica.nextTime)
        else {
            // Like a save of the text that is shown then, with what others wrote.
            return (write(over: now), value, then)
        }
        beside.value = text
        return (beside, value, then)
    }

    /// A register that shows the same without the undone commits: because of another device's write, or of an
    /// earlier one by the same device, which they may only confirm.
    private mutating func noteEqual(
        _ name: RegisterName, _ value: Value, _ own: [SurvivingWrite], of subject: Subject
    ) {
        let isMark = subject.key.collection == Schema.AppliedSet.collection
        guard let rest = subject.without.state.register(name)?.latest, !own.isEmpty, !isOver,
            !isMark || name.field == Schema.AppliedSet.content
        else { return }
        if !own.contains(where: { $0.log.device == rest.log.device }) {
            keep(
                subject.reference, .changedToo, in: isMark ? nil : name, by: rest.log.device)
        } else if subject.full.entries.contains(where: { entry in
            entry.isEffective && commits.contains(entry.commitID)
                && RegisterName(entry.write) == name && entry.write.value == value
        }) {
            isConfirming = true
        }
    }

    /// Whether it is a file from before its space was encrypted.
    private func isInClear(_ value: Value) throws -> Bool {
        guard let blob = value.blob, replica.store.spaces.isToBeSealed(space.id) else {
            return false
        }
        return try replica.form(of: blob, in: space.id) == .plain
    }

    /// The past before the first undone commit.
    private func before(_ subject: Subject) throws -> RecordPast {
        let earlier = subject.past.prefix { !commits.contains($0.stored.commit.id) }
        return try RecordPast(
            of: subject.key, Array(earlier), under: reader.schema, leavingOut: left)
    }

    /// Deletes a record that the undone commits made, unless somebody wrote to it since, or needs it.
    private mutating func remove(_ subject: Subject) throws {
        guard !subject.entry.state.isDeleted else { return }
        let record = subject.reference
        if !isOver {
            // The rest of a commit that was undone itself is no reason.
            let later = subject.without.statements.last {
                $0.isEffective && !left.concerns($0.commitID)
            }?.commit.applied.log.device
            if let device = try later ?? stayingPart(of: subject.key) {
                return keep(record, .changedSince, by: device)
            }
        }
        guard try !isNeeded(subject.key) else { return keep(record, .inUse) }
        let word = precedence(over: subject.entry.state.statements, in: subject.key.collection)
        let deletion = Write(field: Write.existence, value: .boolean(true), precedence: word)
        try add(RecordOperation(subject.key, [deletion]), .removed, [], record)
    }

    /// Values of a data set return with its precedence, so that the set can update them; others with this
    /// person's.
    private func precedence(over writes: [SurvivingWrite], in collection: String) -> UInt32 {
        if !writes.isEmpty, writes.allSatisfy({ $0.precedence == Precedence.dataSet.rawValue }) {
            return Precedence.dataSet.rawValue
        }
        return Schema.isEverywhere(collection)
            ? Precedence.user.rawValue : reader.precedence
    }

    /// The device that wrote to a part of this record and is not undone; nil for none.
    private func stayingPart(of key: RecordKey) throws -> DeviceID? {
        for part in try reader.parts(of: key) where !part.entry.state.isDeleted {
            if planned[part.key.record]?.contains(where: \.isDeletion) ?? false { continue }
            if let other = part.entry.state.statements.first(where: {
                !left.concerns($0.id.commit)
            }) {
                return other.log.device
            }
        }
        return nil
    }

    /// Whether a record that stays refers to it, given the plan so far.
    private func isNeeded(_ key: RecordKey) throws -> Bool {
        for collection in reader.schema.collections {
            for field in collection.fields where field.type.needs(key.collection) {
                let users = try reader.referring(
                    to: key.record, in: collection.name, through: field)
                let stays = users.contains { user in
                    !(planned[user.id] ?? []).contains { $0.isDeletion || $0.field == field.name }
                }
                if stays { return true }
            }
        }
        return false
    }

    private mutating func add(
        _ operation: RecordOperation, _ kind: UndoView.Undone.Kind,
        _ fields: [UndoView.Undone.Field], _ record: Reference
    ) throws {
        guard !operation.writes.isEmpty else { return }
        let needed = requiredFlags(of: [operation], in: space.id, by: replica.local.person)
        guard replica.permissions(in: space.id).isSuperset(of: needed) else {
            return keep(record, .noRight)
        }
        operations.append(operation)
        planned[operation.record, default: []] += operation.writes
        undone.append(
            UndoView.Undone(
                space: space.sharedReference, collection: ShownText.line(operation.collection),
                record: record, kind: kind, fields: fields))
    }

    /// Records that a register, or a whole record, stays; `device` changed it since.
    private mutating func keep(
        _ record: Reference, _ reason: UndoView.Kept.Reason, in name: RegisterName? = nil,
        by device: DeviceID? = nil
    ) {
        let field = name.flatMap { $0.field == Write.existence ? nil : ShownText.line($0.field) }
        kept.append(
            UndoView.Kept(
                space: space.sharedReference, record: record, field: field, reason: reason,
                by: device.map { replica.author(with: $0, in: space.id) }))
    }

    /// The registers of a record that the undone commits wrote, in that order, each once.
    private func registers(of past: RecordPast) -> [RegisterName] {
        var names: [RegisterName] = []
        for entry in past.statements where entry.isEffective && commits.contains(entry.commitID) {
            let name = RegisterName(entry.write)
            if isOnlyDeletions, !entry.write.isDeletion { continue }
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The shown value of a register, null for none; a boolean for existence and elements.
    private func shown(
        _ name: RegisterName, _ state: RecordState, _ key: RecordKey
    ) -> Value {
        guard let register = state.register(name), let latest = register.latest else {
            return name.field == Write.existence || name.element != nil ? .boolean(false) : .null
        }
        guard let strategy = strategy(of: name, in: key) else { return latest.value }
        return state.shown(name.field, by: strategy)?.value ?? latest.value
    }

    private func strategy(of name: RegisterName, in key: RecordKey) -> MergeStrategy? {
        guard name.field != Write.existence, name.element == nil else { return nil }
        return reader.schema.collection(key.collection)?.field(name.field)?.strategy
    }

    private func field(
        _ name: RegisterName, _ value: Value, _ then: Value
    ) throws -> UndoView.Undone.Field {
        guard let element = name.element else {
            return UndoView.Undone.Field(
                name: ShownText.line(name.field), from: try reader.text(of: value),
                to: try reader.text(of: then))
        }
        let text = try reader.text(of: element)
        return UndoView.Undone.Field(
            name: ShownText.line(name.field), from: value == .boolean(true) ? text : "",
            to: then == .boolean(true) ? text : "")
    }
}

extension FieldType {
    /// Whether its values refer to records of a collection, without belonging to them.
    fileprivate func needs(_ collection: String) -> Bool {
        switch self {
        case .reference(let target, let rule): target == collection && rule != .cascade
        case .set(let element): element.needs(collection)
        default: false
        }
    }
}
