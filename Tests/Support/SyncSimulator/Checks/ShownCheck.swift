import Store
import SyncCore

/// Records show what the rules of their schema say: a second reading of these, from all that was ever written and
/// counts, without registers and survivors.
struct ShownCheck {
    let world: World

    func run(in space: SpaceID, _ log: EffectiveLog, _ group: [Replica]) throws {
        guard let schema = log.schema else { return }
        for (key, history) in histories(in: log) {
            guard let collection = schema.collection(key.collection) else { continue }
            for replica in group {
                guard let state = try replica.store?.records.record(key, of: space),
                    let shown = schema.shown(state, in: key.collection)
                else { continue }
                for field in history.wrong(shown, in: collection) {
                    world.report.fail(
                        "shown",
                        "\(replica.index) shows another \(field) of \(key.collection) "
                            + "\(key.record) in \(short(space))")
                }
            }
        }
    }

    private func histories(in log: EffectiveLog) -> [RecordKey: WrittenRecord] {
        var histories: [RecordKey: WrittenRecord] = [:]
        for (key, written) in log.entries.flatMap(\.writes) {
            histories[key, default: WrittenRecord()].add(written)
        }
        return histories
    }
}

extension EffectiveLog.Written {
    /// Whether this write took the place of another one: of no greater precedence, seen before, and named, if any are.
    fileprivate func replaces(_ other: EffectiveLog.Written) -> Bool {
        let hadSeen =
            other.commit.id == commit.id
            ? other.id.index < id.index
            : commit.seen(other.commit.log) >= other.commit.sequence
        return hadSeen && other.write.precedence <= write.precedence
            && (write.replaces?.contains(other.id) ?? true)
    }

    /// Later ones come after.
    fileprivate var order: (HybridTime, DeviceID, WriteID) { (commit.clock, commit.log.device, id) }

    fileprivate var scalars: Int { write.value.text?.unicodeScalars.count ?? 0 }

    /// Metres; without a radius more than with any, and without a position even more.
    fileprivate var uncertainty: Double {
        guard let position = write.value.position else { return .infinity }
        let radius = position.radiusMetres ?? -1
        return radius < 0 || !radius.isFinite ? .greatestFiniteMagnitude : radius
    }
}

/// Everything that was written to one record.
private struct WrittenRecord {
    private struct Place: Hashable {
        let field: String
        let element: Value?
    }

    private var places: [Place: [EffectiveLog.Written]] = [:]

    mutating func add(_ written: EffectiveLog.Written) {
        let place = Place(field: written.write.field, element: written.write.element)
        places[place, default: []].append(written)
    }

    /// The fields that show something else than what follows from the writes.
    func wrong(_ shown: ShownRecord, in collection: CollectionSchema) -> [String] {
        var wrong: [String] = []
        let existence = latest(of: Place(field: Write.existence, element: nil))
        if shown.isDeleted != (existence == .boolean(true)) { wrong.append("existence") }
        for field in collection.fields where !field.isLocal {
            if case .set = field.type {
                let elements = places.keys.filter {
                    $0.field == field.name && latest(of: $0) == .boolean(true)
                }.compactMap(\.element)
                if Set(elements) != Set(shown.elements(field.name)) { wrong.append(field.name) }
            } else if let value = value(of: field) {
                guard case .value(value, _, _) = shown.values[field.name] else {
                    wrong.append(field.name)
                    continue
                }
            }
        }
        return wrong
    }

    /// Nil for a field that nobody wrote to, and for texts that are put together.
    private func value(of field: FieldSchema) -> Value? {
        let ruling = ruling(at: Place(field: field.name, element: nil))
        switch field.strategy {
        case .mergeText where Set(ruling.map(\.write.value)).count > 1: return nil
        case .longest:
            let longest = ruling.map(\.scalars).max()
            return ruling.filter { $0.scalars == longest }.max { $0.order < $1.order }?.write.value
        case .mostAccurate:
            let least = ruling.map(\.uncertainty).min()
            return ruling.filter { $0.uncertainty == least }.max { $0.order < $1.order }?
                .write.value
        default: return ruling.max { $0.order < $1.order }?.write.value
        }
    }

    private func latest(of place: Place) -> Value? {
        ruling(at: place).max { $0.order < $1.order }?.write.value
    }

    /// The writes that no other one replaced, of the greatest precedence among them.
    private func ruling(at place: Place) -> [EffectiveLog.Written] {
        let all = places[place] ?? []
        let left = all.filter { one in !all.contains { $0.replaces(one) } }
        let highest = left.map(\.write.precedence).max()
        return left.filter { $0.write.precedence == highest }
    }
}
