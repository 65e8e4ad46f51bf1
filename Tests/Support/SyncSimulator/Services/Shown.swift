import Records
import Store
import SyncCore

/// The records of a device's spaces at one moment, as far as it can read them.
struct Shown {
    struct Place: Hashable, Comparable {
        let space: SpaceID
        let key: RecordKey

        static func < (one: Place, other: Place) -> Bool {
            (one.space, one.key) < (other.space, other.key)
        }
    }

    private(set) var states: [Place: RecordState] = [:]
    /// By field, as people see it; nothing for a deleted record.
    private(set) var values: [Place: [String: [UInt8]]] = [:]

    /// Throws what the store throws.
    init(_ spaces: [SpaceID], _ store: SyncStore) throws {
        for space in spaces {
            guard let schema = store.spaces.schema(of: space) else { continue }
            for collection in schema.collections {
                for stored in try store.records.list(
                    of: space, in: collection.name, includeDeleted: true)
                {
                    let key = RecordKey(collection: collection.name, record: stored.record)
                    let place = Place(space: space, key: key)
                    states[place] = stored.state
                    guard let shown = schema.shown(stored.state, in: collection.name),
                        !shown.isDeleted
                    else { continue }
                    values[place] = shown.values.compactMapValues(\.visible)
                }
            }
        }
    }

    /// The differences between two moments that people see, in words.
    func differences(from other: Shown) -> [String] {
        let places = Set(values.map(\.key) + other.values.map(\.key))
        return places.sorted().flatMap { place -> [String] in
            let (here, there) = (values[place], other.values[place])
            let name = place.key.summary
            guard let here, let there else {
                return ["\(name) is \(here == nil ? "gone" : "there")"]
            }
            return Set(here.map(\.key) + there.map(\.key)).sorted()
                .filter { here[$0] != there[$0] }.map { "\($0) of \(name)" }
        }
    }
}

extension ShownValue {
    /// Nil if it shows nothing.
    fileprivate var visible: [UInt8]? {
        switch self {
        case .value(.null, _, _): nil
        case .elements(let elements) where elements.isEmpty: nil
        default: canonicalBytes
        }
    }
}

extension RecordKey {
    /// For people.
    var summary: String { "\(collection) \(record.description.prefix(8))" }
}

extension RecordState {
    struct RegisterName: Hashable {
        let field: String
        let element: Value?
    }

    var registers: [(RegisterName, Register)] {
        fields.map { (RegisterName(field: $0, element: nil), $1) }
            + sets.flatMap { field, elements in
                elements.map { (RegisterName(field: field, element: $0), $1) }
            }
    }

    func register(_ name: RegisterName) -> Register? {
        name.element.map { sets[name.field]?[$0] } ?? fields[name.field]
    }

    /// All its writes except those of its existence.
    var withoutExistence: [RegisterName: Register] {
        Dictionary(registers) { first, _ in first }.filter { $0.key.field != Write.existence }
    }
}
