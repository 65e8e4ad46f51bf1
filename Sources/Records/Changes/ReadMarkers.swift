internal import LocalAPI
internal import Store
internal import SyncCore

/// How far this person has looked at the changes on this device: everywhere, and further in some spaces.
struct ReadMarkers {
    private struct Mark {
        /// In storing order.
        let place: Int64
        let at: Int64

        init?(_ text: String?) {
            let numbers = (text ?? "").split(separator: " ").compactMap { Int64($0) }
            guard numbers.count == 2 else { return nil }
            (place, at) = (numbers[0], numbers[1])
        }
    }

    private static let everywhere = "looked"
    private static func key(_ space: SpaceID) -> String { "\(everywhere).\(space)" }

    private let general: Mark?
    private let special: [String: Mark]
    private let now: Int64

    init(of replica: any Replica) throws {
        now = Int64(clamping: replica.now.value)
        let settings = try replica.store.settings.all()
        // Ignore marks beyond the end: they date from before a rebuild.
        let last = try replica.store.log.lastPlace()
        let marks = settings.filter { $0.key.hasPrefix(ReadMarkers.everywhere) }
            .compactMapValues { Mark($0) }.filter { $0.value.place <= last }
        general = marks[ReadMarkers.everywhere]
        special = marks
    }

    /// Changes after this place are new, in one space or in all.
    func place(in space: SpaceID?) -> Int64 { mark(in: space)?.place ?? 0 }

    /// When the person looked; nil for never.
    func time(in space: SpaceID?) -> Moment? {
        mark(in: space).map { Moment(milliseconds: $0.at) }
    }

    /// Whether the person looked while this device's clock was ahead: the time of that look is not known.
    func isAhead(in space: SpaceID?) -> Bool { mark(in: space).map(isAhead) ?? false }

    private func isAhead(_ mark: Mark) -> Bool { isAhead(mark.at) }
    private func isAhead(_ time: Int64) -> Bool { time > now + Limits.lookAheadMilliseconds }

    /// Whether somebody looked since something that has no place in storing order came.
    func hasSeen(_ time: Milliseconds, in space: SpaceID) -> Bool {
        let time = Int64(clamping: time.value)
        return [general, special[ReadMarkers.key(space)]].compactMap(\.self).contains { mark in
            // Times by a clock that was ahead compare with each other only. A later look dates them:
            // ``ChangeService/look(_:)``.
            time <= mark.at && isAhead(mark) == isAhead(time)
        }
    }

    private func mark(in space: SpaceID?) -> Mark? {
        guard let special = space.flatMap({ special[ReadMarkers.key($0)] }),
            special.place > general?.place ?? 0
        else { return general }
        return special
    }

    /// Records a look at all spaces, or at one, up to a place.
    static func set(_ place: Int64, in space: SpaceID?, of replica: any Replica) throws {
        let value = "\(place) \(replica.now.value)"
        if let space {
            return try replica.store.settings.set(key(space), to: value, isPassing: true)
        }
        var settings: [String: String?] = [everywhere: value]
        for key in try replica.store.settings.all().keys where key.hasPrefix(everywhere + ".") {
            settings[key] = .some(nil)
        }
        try replica.store.settings.set(settings, arePassing: true)
    }
}

extension Limits {
    /// How far the time of a look may be ahead: clocks are set by seconds all the time.
    fileprivate static let lookAheadMilliseconds: Int64 = 60_000
}
