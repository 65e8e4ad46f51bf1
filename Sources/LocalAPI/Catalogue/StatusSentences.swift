extension Sentence {
    /// What `peersync status` and `peersync doctor` say.
    package enum Status {
        package static let firstSteps = """
            peersync keeps your trips, with photos, notes and tracks, the same on all your
            devices and on those of your friends, directly over your own network.

            It is not set up on this computer yet. The first step is one of these:

              peersync init           this is your first device
              peersync join --mine    you already use peersync on another device
            """

        package static func state(_ state: SyncState) -> String {
            switch state {
            case .synced: "everything is synced"
            case .syncing: "syncing now"
            case .pending: "something waits for another device"
            case .offline: "no other device in reach"
            case .error: "something needs you"
            }
        }

        package static let diskFull = """
            The disk is full: what others send cannot be kept. Make room; it comes again by itself.
            """
        package static let noAgent =
            "No agent runs here, so nothing is sent or received. Start one: peersync run"
        package static let syncOff =
            "Sync is off: nothing listens, nothing is sent. Switch it on: peersync sync on"
        package static let noAvahi = """
            Other devices are not found by themselves, because Avahi does not run here. \
            Known addresses still work; to find devices, install avahi-daemon.
            """

        package static func network(_ network: NetworkStatus, syncEnabled: Bool) -> String {
            guard syncEnabled else { return "off" }
            guard network.running else { return "on, but no agent runs" }
            guard let port = network.port else { return "on, but not listening" }
            switch network.discovery {
            case .working: return "on, port \(port), finds devices by itself"
            case .noAvahi: return "on, port \(port), known addresses only"
            case .off: return "on, port \(port)"
            }
        }

        package static let noDevices =
            "None yet. Run 'peersync pair' here and 'peersync join' on the other device."
        package static let noTrips = "None yet. Make one: peersync trip create \"Arezzo 2008\""

        /// A trip that someone granted and that waits for an answer.
        package static func granted(by person: String?, trip: String, isTrip: Bool = true) -> String
        {
            let what = isTrip ? "trip" : "space"
            let who =
                person.map { "\(plain($0)) gives you this \(what)" } ?? "this \(what) is for you"
            return "\(who): peersync \(what) accept \(quoted(trip))"
        }

        package static func toSend(_ waiting: WaitingCount) -> String {
            "\(Sentence.waiting(waiting)) to send"
        }

        package static func foreignVersion(device: String, isNewer: Bool) -> String {
            isNewer
                ? """
                \(plain(device)) has a newer peersync, which does not understand this one: \
                update peersync here. Nothing is lost; both go on then.
                """
                : """
                \(plain(device)) has an older peersync, which this one does not understand: \
                update it there. Nothing is lost; both go on then.
                """
        }

        package static func clockSkew(device: String, seconds: Int) -> String {
            let direction = seconds > 0 ? "ahead" : "behind"
            return """
                The clock of \(plain(device)) is \(duration(abs(seconds))) \(direction); \
                set the time on both devices automatically.
                """
        }

        package static func quarantined(_ changes: Int, trip: String?) -> String {
            let what = Sentence.count(changes, "change", "changes")
            let place = trip.map { "in \(Sentence.name($0))" } ?? "in your own lists"
            let command = "peersync trip rescue" + (trip.map { " \(quoted($0))" } ?? "")
            return """
                \(what) \(place) \(changes == 1 ? "is" : "are") quarantined, because a device was put \
                back to an older state and went on writing. Bring them back: \(command)
                """
        }

        package static func flawed(_ records: Int, trip: String, isTrip: Bool) -> String {
            let what = Sentence.count(records, "entry", "entries")
            return """
                Since the last sync \(what) of \(Sentence.name(trip)) \(records == 1 ? "is" : "are") \
                incomplete: peersync \(isTrip ? "trip" : "space") check \(quoted(trip))
                """
        }

        /// That a trip or space was deleted: by somebody else, or while somebody wrote in it.
        package static func deleted(_ trip: TripView, ago: String) -> String {
            guard let deletion = trip.deletion else { return "" }
            let what = "\(trip.isTrip ? "trip" : "space") \(Sentence.name(trip.name))"
            let who = deletion.isMine ? "You" : plain(deletion.by.name)
            guard !deletion.unseen.isEmpty else {
                return """
                    \(who) deleted the \(what) for everybody, \(ago). Bring it back: \
                    \(Trip.restore(trip)); seen: peersync log
                    """
            }
            return """
                \(who) deleted the \(what), \(ago), and had not seen what others did there: \
                \(Trip.unseenWork(deletion)). Nothing of it is lost. Bring it back for everybody: \
                \(Trip.restore(trip)), or leave it deleted: peersync conflicts
                """
        }

        package static func conflicts(_ number: Int) -> String {
            let what = Sentence.count(number, "entry was", "entries were")
            return """
                \(what) changed on two devices at once, and every version is kept. Look and \
                decide: peersync conflicts
                """
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

        package static func ago(seconds: Int) -> String {
            seconds < 5 ? "just now" : "\(duration(seconds)) ago"
        }

        package static let nothingMoves = "Nothing is being sent or received."
        package static let never = "never"
        package static let yours = "you"
        package static let connected = "connected"
        package static let neverSeen = "not seen yet"

        package static func seen(_ ago: String) -> String { "seen \(ago)" }
        package static func synced(_ ago: String) -> String { "synced \(ago)" }

        /// One word.
        package static func short(_ state: SyncState) -> String {
            switch state {
            case .synced: "synced"
            case .syncing: "syncing"
            case .pending: "waiting"
            case .offline: "not in reach"
            case .error: "needs you"
            }
        }
    }
}

extension Sentence.Health {
    /// Without the trip: reports that others read name none.
    package static func quarantined(_ changes: Int) -> Words {
        let what = Sentence.count(changes, "change", "changes")
        return Words(
            """
            \(what) \(changes == 1 ? "is" : "are") quarantined, because a device was put back to an \
            older state and went on writing.
            """, "Bring them back: peersync trip rescue")
    }
}
