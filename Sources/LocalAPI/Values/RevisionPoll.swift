/// Long poll: the answer comes as soon as the revision is another one, or with the unchanged view
/// after some time.
package struct RevisionPoll: Codable, Sendable, Hashable {
    /// The revision the caller has seen; -1 when absent, which is never one.
    package let knownRevision: Int
    /// 0 to 30; more is cut to 30. 0 when absent.
    package let waitSeconds: Int

    package init(knownRevision: Int, waitSeconds: Int) {
        self.knownRevision = knownRevision
        self.waitSeconds = min(max(waitSeconds, 0), LocalLimits.pollSeconds)
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            knownRevision: try values.decodeIfPresent(Int.self, forKey: .knownRevision) ?? -1,
            waitSeconds: try values.decodeIfPresent(Int.self, forKey: .waitSeconds) ?? 0)
    }
}
