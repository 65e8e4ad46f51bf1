/// The strategy `lastWrite`: the greatest hybrid time, then author id, then commit id.
enum LastWrite {
    static func choice(of writes: [SurvivingWrite]) -> SurvivingWrite? {
        writes.max(by: SurvivingWrite.isOlder)
    }
}
