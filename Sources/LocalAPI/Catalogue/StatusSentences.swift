extension Sentence {
    /// The words of `peersync status` and `peersync doctor`.
    package enum Status {
        /// Seconds in words: `40 seconds`, `3 minutes`, `5 hours`, `12 days`, `4 months`, `3 years`.
        package static func duration(_ seconds: Int) -> String {
            switch seconds {
            case ..<60: count(seconds, "second", "seconds")
            case ..<3600: count(seconds / 60, "minute", "minutes")
            case ..<172_800: count(seconds / 3600, "hour", "hours")
            default:
                switch LongTime(seconds) {
                case .days(let days): count(days, "day", "days")
                case .months(let months): count(months, "month", "months")
                case .years(let years, _): count(years, "year", "years")
                }
            }
        }

        /// The same after a preposition, which takes another case in some languages.
        package static func period(_ seconds: Int) -> String {
            guard seconds >= 172_800 else { return duration(seconds) }
            switch LongTime(seconds) {
            case .days(let days):
                return tr(days, "\(days) day", "\(days) days", context: "ago, in")
            case .months(let months):
                return tr(months, "\(months) month", "\(months) months", context: "ago, in")
            case .years(let years, _):
                return tr(years, "\(years) year", "\(years) years", context: "ago, in")
            }
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

/// Days, from 60 of them on months, and from 24 months on years.
enum LongTime: Equatable {
    case days(Int)
    case months(Int)
    /// With the months beyond the last whole year.
    case years(Int, months: Int)

    /// A twelfth of the mean year of the Gregorian calendar.
    private static let secondsPerMonth = 2_629_746

    init(_ seconds: Int) {
        let months = (seconds + Self.secondsPerMonth / 2) / Self.secondsPerMonth
        self =
            switch months {
            case _ where seconds < 60 * 86_400: .days(seconds / 86_400)
            case ..<24: .months(months)
            default: .years(months / 12, months: months % 12)
            }
    }
}
