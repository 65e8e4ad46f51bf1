/// What a commit asks of the grant it names: all that judging it again takes, so that a change of
/// membership can be carried through a long log without decoding it.
package struct CommitClaim: Hashable, Sendable {
    package let isGenesis: Bool
    package let log: LogID
    package let sequence: UInt64
    /// The last commit of its group; itself without one.
    package let groupEnd: UInt64
    package let grant: FactReference
    /// What writing its operations, its schema and the names of its blobs takes.
    package let required: Permissions
    /// The highest precedence among its writes.
    package let precedence: UInt32
    package let contents: CommitContents
    /// What its operations are sealed under.
    package let epoch: CommitID?

    package init(
        isGenesis: Bool, log: LogID, sequence: UInt64, groupEnd: UInt64? = nil,
        grant: FactReference, required: Permissions, precedence: UInt32,
        contents: CommitContents = .none, epoch: CommitID? = nil
    ) {
        (self.isGenesis, self.log, self.sequence) = (isGenesis, log, sequence)
        self.groupEnd = groupEnd ?? sequence
        (self.grant, self.required, self.precedence) = (grant, required, precedence)
        (self.contents, self.epoch) = (contents, epoch)
    }

    /// What a commit with this header and content asks, when the grant that it names is to a device of
    /// this person. Whatever is sealed takes write, be it opened or not; so does what was kept back.
    package init(
        header: CommitHeader, clear: ClearPart, operations: [RecordOperation],
        contents: CommitContents? = nil, by person: PersonID?
    ) {
        var required = requiredFlags(of: operations, in: header.space, by: person)
        if clear.schema != nil { required.insert(.admin) }
        let contents = contents ?? CommitContents(isEmpty: operations.isEmpty, in: header)
        if !clear.blobs.isEmpty || header.epoch != nil || contents == .withheld {
            required.insert(.write)
        }
        var precedence: UInt32 = 0
        for operation in operations {
            for write in operation.writes {
                precedence = max(precedence, write.precedence)
            }
        }
        self.init(
            isGenesis: header.isGenesis, log: header.log, sequence: header.sequence,
            groupEnd: header.groupEnd, grant: header.grant, required: required,
            precedence: precedence,
            contents: contents, epoch: header.epoch)
    }
}

extension SpaceLedger {
    /// What a commit asks of the grant it names, which is known here.
    package func claim(of commit: UnverifiedCommit) -> CommitClaim {
        CommitClaim(
            header: commit.header, clear: commit.clear, operations: commit.operations,
            contents: commit.contents, by: person(writing: commit.header))
    }

    /// The same of one that is not made yet; its sealed part is readable, as its author is here.
    package func claim(
        of header: CommitHeader, _ clear: ClearPart, _ operations: [RecordOperation]
    ) -> CommitClaim {
        CommitClaim(
            header: header, clear: clear, operations: operations,
            contents: header.epoch == nil ? nil : .opened, by: person(writing: header))
    }

    /// What everybody sees that a commit asks, whether or not they can open what it seals.
    func visibleClaim(of commit: UnverifiedCommit) -> CommitClaim {
        CommitClaim(
            header: commit.header, clear: commit.clear,
            operations: commit.header.epoch == nil ? commit.operations : [],
            contents: commit.contents == .withheld ? .withheld : nil,
            by: person(writing: commit.header))
    }

    private func person(writing header: CommitHeader) -> PersonID? {
        membership.facts.grant(header.grant)?.card.person
    }
}
