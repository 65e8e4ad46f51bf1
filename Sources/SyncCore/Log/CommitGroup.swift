/// Commits that follow each other in one log and count together: each once the last one is here, and as if it stood
/// there. So an import or a data set is not shown before all of it is here, on any device.
///
/// The first one may have seen something, the others nothing more, so that they can be applied later as if they came
/// together. They are written under one grant, and have neither facts nor a schema: who may do what never waits.
package struct CommitGroup: Hashable, Sendable {
    /// Sequences of its first and its last commit.
    package let first: UInt64
    package let last: UInt64
    package let grant: FactReference
    /// The end of the log before it; nil when it begins the log.
    package let before: LogHead?

    package init(first: UInt64, last: UInt64, grant: FactReference, before: LogHead?) {
        precondition(first < last, "one commit is no group")
        precondition((before?.sequence ?? 0) + 1 == first, "a group begins before \(first)")
        (self.first, self.last) = (first, last)
        (self.grant, self.before) = (grant, before)
    }
}

/// The groups in which logs end, each by its log.
package struct OpenGroups: Hashable, Sendable {
    private var groups: [LogID: CommitGroup]

    package init(_ groups: [LogID: CommitGroup] = [:]) { self.groups = groups }

    package var isEmpty: Bool { groups.isEmpty }
    package subscript(_ log: LogID) -> CommitGroup? { groups[log] }

    /// Whether each of these logs ends within its group.
    func fit(_ watermark: Watermark) -> Bool {
        groups.allSatisfy { log, group in
            (group.first..<group.last).contains(watermark.sequence(of: log))
        }
    }

    /// Whether the next commit of a log goes on with the group there, if one is open, and is as commits of groups
    /// have to be.
    func accepts(_ commit: VerifiedCommit) -> Bool {
        let header = commit.header
        guard let group = groups[header.log] else {
            return header.following == 0 || commit.commit.clear.isOfRecords
        }
        return header.groupEnd == group.last && header.grant == group.grant && header.seen.isEmpty
            && commit.commit.clear.isOfRecords
    }

    /// Opens or closes a group with the next commit of a log, of which this is the end before.
    mutating func note(_ header: CommitHeader, after before: LogHead?) {
        if let group = groups[header.log] {
            precondition(
                header.groupEnd == group.last,
                "\(header.log) leaves its group at \(header.sequence)")
            if header.following == 0 { groups[header.log] = nil }
        } else if header.following > 0 {
            groups[header.log] = CommitGroup(
                first: header.sequence, last: header.groupEnd, grant: header.grant, before: before)
        }
        Invariants.check(
            (groups[header.log] == nil) == (header.following == 0),
            "\(header.log) ends within a group, and nobody knows")
    }

    /// A log ends before its group, or will never go on.
    mutating func forget(_ log: LogID) { groups[log] = nil }
}

extension ClearPart {
    /// It says nothing but which files its operations name.
    package var isOfRecords: Bool { genesis == nil && facts.isEmpty && schema == nil }
}

extension Limits {
    /// Commits of one group: all are applied in one transaction.
    package static let commitsOfGroup = 64
}
