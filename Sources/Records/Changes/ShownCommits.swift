internal import LocalAPI
internal import Store
internal import SyncCore

extension CommitLog {
    /// Hands on the commits of a space, or of all, that came to be shown since a time or after the marks, without those
    /// of a device, from the newest stored back, as long as `body` wants more.
    func eachShown(
        in space: SpaceID?, since: Moment?, after marks: ReadMarkers? = nil,
        exceptOf device: DeviceID? = nil, _ body: (StoredCommit) throws -> Bool
    ) throws {
        var after = marks?.place(in: space) ?? 0
        var before: Int64?
        var isLate = false
        while true {
            let page = try storedCommits(
                of: space, after: after, before: before, exceptOf: device,
                limit: Limits.changePage)
            guard let first = page.last else { return }
            let wanted = page.filter { stored in
                if let since { return Int64(stored.shownAt.value) >= since.milliseconds }
                return marks.map { stored.shownFrom > $0.place(in: stored.space) } ?? true
            }
            // Places mostly follow time, unless a clock was set: stops at a page that is entirely too old.
            if wanted.isEmpty, !isLate {
                guard since != nil, let before else { return }
                // What is left are commits that came earlier, of groups that came to be whole since then.
                (after, isLate) = (before - 1, true)
                continue
            }
            before = first.place
            for stored in wanted {
                guard try body(stored) else { return }
            }
        }
    }
}
