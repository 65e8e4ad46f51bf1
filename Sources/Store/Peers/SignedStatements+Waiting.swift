internal import GRDB
internal import SyncCore
internal import Synchronization

extension SignedStatements {
    /// Acks that are not written down.
    package var waitingCount: Int { connection.waitingAcks.withLock { $0.count } }

    /// Keeps acks of other devices as `keep` does, but in memory until ``writeWaiting()``; the first
    /// of a device in a space is written down at once. Returns which were kept.
    package func keepWaiting(_ acks: [SignedAck]) throws -> [Bool] {
        let written = try connection.read { database in
            try acks.map { try writtenCounter(of: $0.said, in: database) }
        }
        // Before any waits: where these cannot be written, none is kept.
        let first = zip(acks, written).filter { $1 == nil }.map(\.0)
        var kept = try write(first).makeIterator()
        return connection.waitingAcks.withLock { waiting in
            zip(acks, written).map { ack, written in
                written.map { waiting.add(ack, after: $0) } ?? kept.next() ?? false
            }
        }
    }

    /// Writes down the acks that wait, in one transaction.
    package func writeWaiting() throws {
        let waiting = connection.waitingAcks.withLock { $0.all }
        _ = try write(waiting)
        connection.waitingAcks.withLock { $0.remove(waiting) }
    }

    /// Returns which were later than what the database had.
    private func write(_ acks: [SignedAck]) throws -> [Bool] {
        guard !acks.isEmpty else { return [] }
        return try connection.write { database in
            try acks.map { try write($0, in: database) }
        }
    }
}
