import SyncCore

extension ApplyReport {
    /// What a store would say of a space of several persons that stands so after a batch.
    init(
        space: SpaceID, after watermark: Watermark, _ membership: Membership,
        stored: [VerifiedCommit] = [], refusals: [Refusal] = []
    ) {
        self.init(
            space: space,
            view: SpaceView(
                space: space, role: .shared, watermark: watermark, membership: membership))
        self.stored = stored.map(\.commit)
        self.refusals = refusals
    }
}
