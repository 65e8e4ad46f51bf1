extension Sentence {
    /// The words of `peersync status` and `peersync doctor`.
    package enum Status {
        /// The head line; `because` says why nothing is exchanged, `isWaiting` whether something waits for
        /// a device, `onlyHere` how many trips and spaces no other device has.
        package static func verdict(
            _ state: SyncState, person: PersonWaits = PersonWaits(), isWaiting: Bool = false,
            onlyHere: Int = 0, because reason: String? = nil
        ) -> String {
            let asked = person.sentences
            let also = asked.map { "; \($0)" }.joined()
            return switch state {
            case .synced, .localOnly:
                onlyHere == 0
                    ? tr("everything is synced")
                    : tr("everything shared is synced; \(onlyOnThisDevice(onlyHere))")
            case .syncing: tr("syncing now\(also)")
            case .pending:
                asked.isEmpty || isWaiting
                    ? tr("something waits for another device\(also)")
                    : asked.joined(separator: "; ")
            case .offline: (reason ?? tr("no other device in reach")) + also
            case .error: tr("something needs you")
            }
        }

        private static func onlyOnThisDevice(_ spaces: Int) -> String {
            tr(
                spaces, "\(spaces) trip is only on this device",
                "\(spaces) trips are only on this device")
        }

        /// Decisions that wait for the person at this device.
        package struct PersonWaits: Hashable, Sendable {
            /// Entries that somebody has to decide about.
            package var entries = 0
            /// Trips and spaces that are granted to this person.
            package var invitations = 0
            /// Trips and spaces with changes that do not count.
            package var uncounted = 0
            /// Trips and spaces that were revoked from this device.
            package var taken = 0

            package init() {}

            package var isNothing: Bool { self == PersonWaits() }

            fileprivate var sentences: [String] {
                [
                    entries == 0
                        ? nil
                        : Sentence.count(
                            entries, "entry waits for your decision",
                            "entries wait for your decision"),
                    invitations == 0
                        ? nil
                        : Sentence.count(
                            invitations, "invitation waits for your answer",
                            "invitations wait for your answer"),
                    uncounted == 0
                        ? nil
                        : Sentence.count(
                            uncounted, "trip has changes that do not count",
                            "trips have changes that do not count"),
                    taken == 0
                        ? nil
                        : Sentence.count(
                            taken, "trip was taken from you", "trips were taken from you"),
                ].compactMap(\.self)
            }
        }

        package static func network(_ network: NetworkStatus, syncEnabled: Bool) -> String {
            guard syncEnabled else { return tr("off") }
            guard network.running else { return tr("on, but no agent runs") }
            guard let port = network.port else { return tr("on, but not listening") }
            switch network.discovery {
            case .working: return tr("on, port \(port), finds devices by itself")
            case .noAvahi: return tr("on, port \(port), known addresses only")
            case .off: return tr("on, port \(port)")
            }
        }

        /// Whether this device is in a network, and which others are there; nil while it does not listen.
        package static func connectivity(_ status: StatusView) -> String? {
            guard status.syncEnabled, status.network.port != nil else { return nil }
            if status.problems.contains(where: { $0.kind == .noNetwork }) {
                return tr("none: this computer is in no network")
            }
            let near = status.devices.count { $0.connected || $0.reached }
            guard near == 0 else {
                return tr(near, "\(near) device in reach", "\(near) devices in reach")
            }
            let strangers = status.network.announcedDevices
            guard strangers > 0 else { return tr("connected, nobody else is there") }
            return status.devices.isEmpty
                ? tr(
                    strangers,
                    "connected; \(strangers) device announces itself, not paired with this one",
                    "connected; \(strangers) devices announce themselves, none paired with this one"
                )
                : tr(
                    strangers, "connected; \(strangers) device announces itself, none is in reach",
                    "connected; \(strangers) devices announce themselves, none is in reach")
        }

        package static var noDevices: String {
            tr("None yet. Run 'peersync pair' here and 'peersync join' on the other device.")
        }
        package static var noTrips: String {
            tr("None yet. Make one: peersync trip create \"Arezzo 2008\"")
        }

        /// Failed attempts, and the time of the next one.
        package static func tries(_ tries: TriesView, next: String?) -> String {
            let failed = Sentence.count(tries.failed, "try", "tries")
            return tr("\(failed) in vain") + (next.map { tr(", next try \($0)") } ?? "")
        }

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

        /// Of a device that lists leave out.
        package static func replaced(_ device: DeviceView) -> String {
            tr(
                """
                Not shown: \(plain(device.name)) (\(device.shortID)) of before; one of the same name was \
                paired since. If it was set up again: peersync device forget \(device.shortID)
                """)
        }

        package static var never: String { tr("never") }
        package static var yours: String { tr("you") }

        /// One word.
        package static func short(_ state: SyncState) -> String {
            switch state {
            case .synced: tr("synced")
            case .syncing: tr("syncing")
            case .pending: tr("waiting")
            case .localOnly: tr("only on this device")
            case .offline: tr("not in reach")
            case .error: tr("needs you")
            }
        }
    }
}
