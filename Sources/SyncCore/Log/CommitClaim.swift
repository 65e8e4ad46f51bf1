/// What a commit asks of the grant it names: all that judging it again takes, so that a change of
/// membership can be carried through a long log without decoding it.
package struct CommitClaim: Hashable, Sendable {
    package let isGenesis: Bool
    package let log: LogID
    package let sequence: UInt64
    package let grant: FactReference
    /// What writing its operations, its schema and the names of its blobs takes.
    package let required: Permissions
    /// The highest precedence among its writes.
    package let precedence: UInt32

    package init(
        isGenesis: Bool, log: LogID, sequence: UInt64, grant: FactReference,
        required: Permissions, precedence: UInt32
    ) {
        (self.isGenesis, self.log, self.sequence) = (isGenesis, log, sequence)
        (self.grant, self.required, self.precedence) = (grant, required, precedence)
    }

    /// What a commit with this header and content asks, when the grant that it names is to a device of
    /// this person.
    package init(
        header: CommitHeader, clear: ClearPart, operations: [RecordOperation], by person: PersonID?
    ) {
        var required = requiredFlags(of: operations, in: header.space, by: person)
        if clear.schema != nil { required.insert(.admin) }
        if !clear.blobs.isEmpty { required.insert(.write) }
        var precedence: UInt32 = 0
        for operation in operations {
            for write in operation.writes {
                precedence = max(precedence, write.precedence)
            }
        }
        self.init(
            isGenesis: header.isGenesis, log: header.log, sequence: header.sequence,
            grant: header.grant, required: required, precedence: precedence)
    }
}

extension SpaceLedger {
    /// What a commit asks of the grant it names, which is known here.
    package func claim(of commit: UnverifiedCommit) -> CommitClaim {
        claim(of: commit.header, commit.clear, commit.operations)
    }

    /// The same of one that is not made yet.
    package func claim(
        of header: CommitHeader, _ clear: ClearPart, _ operations: [RecordOperation]
    ) -> CommitClaim {
        CommitClaim(
            header: header, clear: clear, operations: operations,
            by: membership.grant(header.grant)?.card.person)
    }
}
