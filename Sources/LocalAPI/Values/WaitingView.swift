/// All that waits, for whom and since when (requirement P10), as far as this device can know.
package struct WaitingView: Codable, Sendable, Equatable {
    /// Items that devices lack, longest waiting first.
    package let items: [Item]
    /// Decisions that wait for this person, and invitations that others have not answered.
    package let decisions: [ProblemView]

    package init(items: [Item], decisions: [ProblemView]) {
        (self.items, self.decisions) = (items, decisions)
    }

    /// Items that one device lacks of one space.
    package struct Item: Codable, Sendable, Equatable {
        package let device: Reference
        package let person: Reference
        /// This device lacks it, and others bring it.
        package let here: Bool
        package let space: Reference
        package let lacks: WaitingCount
        /// Items that this device lacks, too.
        package let elsewhere: WaitingCount
        /// When the first of the changes came to this device; absent where only files wait, or this device
        /// waits.
        package let since: Moment?
        /// The first of the changes, oldest first.
        package let changes: [ChangeEntry]
        /// Why, most telling first.
        package let reasons: [WhyView.Reason]
        /// The remedy.
        package let remedy: String?

        package init(
            device: (Reference, of: Reference, here: Bool), space: Reference,
            lacks: (WaitingCount, elsewhere: WaitingCount), since: Moment?,
            changes: [ChangeEntry], reasons: [WhyView.Reason], remedy: String?
        ) {
            (self.device, person, here) = device
            self.space = space
            (self.lacks, elsewhere) = lacks
            (self.since, self.changes) = (since, changes)
            (self.reasons, self.remedy) = (reasons, remedy)
        }
    }
}
