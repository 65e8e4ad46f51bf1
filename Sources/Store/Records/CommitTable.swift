internal import SyncCore

/// The commits whose writes survive in one record, and their logs, each stored once.
struct CommitTable {
    struct Entry {
        let id: CommitID
        let log: LogID
        let sequence: UInt64
        let clock: HybridTime
    }

    private var logs: [LogID] = []
    private var entries: [Entry] = []
    private var places: [CommitID: Int] = [:]

    init(_ state: RecordState) {
        var found: [CommitID: Entry] = [:]
        for register in state.fields.values {
            CommitTable.collect(register, into: &found)
        }
        for elements in state.sets.values {
            for register in elements.values {
                CommitTable.collect(register, into: &found)
            }
        }
        logs = Set(found.values.map(\.log)).sorted()
        entries = found.values.sorted { $0.id < $1.id }
        for (place, entry) in entries.enumerated() {
            places[entry.id] = place
        }
    }

    init(from reader: inout ByteReader) throws(RecordCodec.Malformed) {
        for _ in 0..<(try reader.count()) {
            guard let device = DeviceID(bytes: try reader.bytes(Bytes32.byteCount)),
                let incarnation = Incarnation(try reader.bytes(Bytes16.byteCount))
            else { throw .init() }
            logs.append(LogID(device: device, incarnation: incarnation))
        }
        for _ in 0..<(try reader.count()) {
            guard let id = CommitID(bytes: try reader.bytes(Bytes32.byteCount)) else {
                throw .init()
            }
            guard let place = Int(exactly: try reader.number()), place < logs.count else {
                throw .init()
            }
            entries.append(
                Entry(
                    id: id, log: logs[place], sequence: try reader.number(),
                    clock: HybridTime(raw: try reader.fixed64())))
        }
    }

    func write(to writer: inout ByteWriter) {
        var logPlaces: [LogID: UInt64] = [:]
        writer.append(number: UInt64(logs.count))
        for (place, log) in logs.enumerated() {
            logPlaces[log] = UInt64(place)
            writer.append(log.device.bytes)
            writer.append(log.incarnation.bytes)
        }
        writer.append(number: UInt64(entries.count))
        for entry in entries {
            guard let place = logPlaces[entry.log] else {
                preconditionFailure("log \(entry.log) of a surviving write is not in the table")
            }
            writer.append(entry.id.bytes)
            writer.append(number: place)
            writer.append(number: entry.sequence)
            writer.append(bigEndian(entry.clock.raw))
        }
    }

    func index(of commit: CommitID) -> UInt64 {
        guard let place = places[commit] else {
            preconditionFailure("commit \(commit) of a surviving write is not in the table")
        }
        return UInt64(place)
    }

    func entry(_ place: UInt64) throws(RecordCodec.Malformed) -> Entry {
        guard let place = Int(exactly: place), place < entries.count else { throw .init() }
        return entries[place]
    }

    private static func collect(_ register: Register, into found: inout [CommitID: Entry]) {
        for write in register.writes where found[write.id.commit] == nil {
            found[write.id.commit] = Entry(
                id: write.id.commit, log: write.log, sequence: write.sequence, clock: write.clock)
        }
    }
}
