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

    init(_ state: RecordState) {
        for register in state.fields.values { collect(register) }
        for elements in state.sets.values {
            for register in elements.values { collect(register) }
        }
        // Nearly always it is one commit.
        guard entries.count > 1 else {
            logs = entries.map(\.log)
            return
        }
        entries.sort { $0.id < $1.id }
        var last: CommitID?
        entries.removeAll { entry in
            defer { last = entry.id }
            return entry.id == last
        }
        Invariants.check(
            zip(entries, entries.dropFirst()).allSatisfy { $0.id < $1.id },
            "a commit stands in the table twice")
        logs = Set(entries.map(\.log)).sorted()
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
        var range = 0..<entries.count
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            let isBefore = commit < entries[middle].id
            range = isBefore ? range.lowerBound..<middle : middle..<range.upperBound
        }
        guard let place = range.first, entries[place].id == commit else {
            preconditionFailure("commit \(commit) of a surviving write is not in the table")
        }
        return UInt64(place)
    }

    func entry(_ place: UInt64) throws(RecordCodec.Malformed) -> Entry {
        guard let place = Int(exactly: place), place < entries.count else { throw .init() }
        return entries[place]
    }

    private mutating func collect(_ register: Register) {
        for write in register.writes where entries.last?.id != write.id.commit {
            entries.append(
                Entry(
                    id: write.id.commit, log: write.log, sequence: write.sequence,
                    clock: write.clock))
        }
    }
}
