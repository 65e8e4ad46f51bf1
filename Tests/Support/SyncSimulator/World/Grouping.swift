import Records
import Store
import SyncCore

/// What a device writes at once is one commit, or a group of smaller ones as if there were too much for one. Which of
/// them follows from what is written.
extension CommitDraft {
    /// The commits of the group, at least one.
    func parts() -> [CommitDraft] {
        guard clear.genesis == nil, clear.facts.isEmpty, clear.schema == nil, finishes.isEmpty
        else { return [self] }
        return operations.parts.enumerated().map { index, part in
            // The first names the files of all.
            CommitDraft(clear: index == 0 ? clear : ClearPart(), operations: part)
        }
    }
}

extension ChangeSet {
    /// The same.
    func parts() -> [ChangeSet] {
        guard finishes.isEmpty else { return [self] }
        return operations.parts.enumerated().map { index, part in
            var changes = self
            changes.operations = part
            if index > 0 { changes.blobs = [] }
            return changes
        }
    }
}

extension [RecordOperation] {
    /// Every other time in pieces, eight at most.
    fileprivate var parts: [[RecordOperation]] {
        guard count > 1, let first, first.record.bytes[0] & 1 == 0 else { return [self] }
        let size = (count + 7) / 8
        return stride(from: 0, to: count, by: size).map {
            Array(self[$0..<Swift.min($0 + size, count)])
        }
    }
}
