extension Sentence {
    /// The words of `peersync status` and `peersync doctor`.
    package enum Status {
        /// Seconds in words: `40 seconds`, `3 minutes`, `5 hours`, `12 days`.
        package static func duration(_ seconds: Int) -> String {
            switch seconds {
            case ..<60: count(seconds, "second", "seconds")
            case ..<3600: count(seconds / 60, "minute", "minutes")
            case ..<172_800: count(seconds / 3600, "hour", "hours")
            default: count(seconds / 86_400, "day", "days")
            }
        }

        /// The same after a preposition, which takes another case in some languages.
        static func period(_ seconds: Int) -> String {
            let days = seconds / 86_400
            return days < 2
                ? duration(seconds)
                : tr(days, "\(days) day", "\(days) days", context: "ago, in")
        }

        package static func ago(seconds: Int) -> String {
            seconds < 5 ? tr("just now") : tr("\(period(seconds)) ago")
        }

        /// `in 40 seconds`.
        package static func soon(seconds: Int) -> String {
            seconds < 1 ? tr("now") : tr("in \(period(seconds))")
        }
    }
}
