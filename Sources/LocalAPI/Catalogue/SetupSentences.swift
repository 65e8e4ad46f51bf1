extension Sentence {
    /// What `init` and `run` say and ask.
    package enum Setup {
        package static var askPersonName: String { tr("Your name, as friends will see it") }
        package static var askDeviceName: String { tr("Name of this device") }

        package static func done(device: String, person: String) -> String {
            tr("This computer is now \(Sentence.name(device)), a device of \(plain(person)).")
        }

        package static func recoveryKey(_ key: String) -> String {
            tr(
                """
                Your recovery key, shown only now:

                    \(key)

                Write it down and keep it away from your devices. With it you can prove that you are
                you when all your devices are lost or stolen; who has it can act as you.
                """)
        }

        package static func recoveryFile(_ path: String) -> String {
            tr(
                """
                Your recovery key is in \(path). Move that file away from your devices, for example to
                a USB stick. With it you can prove that you are you when all your devices are lost or
                stolen; who has it can act as you.
                """)
        }

        package static var nextSteps: String {
            tr(
                """
                Next:
                  peersync pair                          connect another device or a friend
                  peersync trip create "Arezzo 2008"     make your first trip
                  peersync service install               keep everything in sync, in the background
                """)
        }

        package static func recoveryFileFailed(_ problem: APIError) -> String {
            tr("\(problem.sentence) So here is the recovery key:")
        }

        package static var running: String { tr("The agent runs. Ctrl-C stops it.") }
    }

    /// What `sync` says.
    package enum Sync {
        package static var nowOn: String { tr("Sync is on.") }
        package static var onWithoutAgent: String {
            tr("Sync is on. Start the agent to use it: \(startAgent)")
        }
        package static var nowOff: String {
            tr(
                """
                Sync is off: nothing listens, nothing is sent. Everything on this computer still \
                works.
                """)
        }
        package static var noDevices: String {
            tr("There is no other device to sync with yet. Connect one: peersync pair")
        }
        package static var notReached: String { tr("not reached") }
        package static var wentAway: String { tr("went away") }
        package static var reached: String { tr("nothing to do") }
        package static var noRuns: String { tr("Nothing has been synced yet.") }

        /// `2.4 s`, `35 seconds`, `3 minutes`.
        package static func took(_ milliseconds: Int64) -> String {
            guard milliseconds < 10_000 else {
                return Status.duration(Int(clamping: milliseconds / 1000))
            }
            let tenths = (milliseconds + 50) / 100
            return "\(Language.current.decimal(tenths: Int(tenths))) s"
        }

        /// What of a run a person should know beside what moved; nil when there is nothing.
        package static func remarks(_ run: SyncRunView) -> String? {
            let flaws = run.details.flaws.values.reduce(0, +)
            let parts = [
                run.details.complete ? nil : tr("ended early"),
                run.conflicts > 0 ? count(run.conflicts, "conflict", "conflicts") : nil,
                run.errors > 0 ? count(run.errors, "error", "errors") : nil,
                flaws > 0 ? tr("\(count(flaws, "entry", "entries")) to check") : nil,
            ].compactMap(\.self)
            return parts.isEmpty ? nil : parts.joined(separator: ", ")
        }

        package static func someUnreachable(_ number: Int, of total: Int) -> String {
            number == total
                ? tr("No other device was reached.")
                : tr(
                    "\(number) of \(Sentence.count(total, "device", "devices")) could not be reached."
                )
        }

        package static var unreachableHint: String {
            tr(
                """
                Switch them on and connect them to this network; what is new waits for them. \
                If they are on: peersync doctor network
                """)
        }

        package static func lackingThere(
            _ device: String, _ lacking: WaitingCount, seconds: Int
        ) -> String {
            tr(
                """
                \(plain(device)) still lacks \(Sentence.waiting(lacking)), and nothing has moved for \
                \(seconds) seconds.
                """)
        }

        package static func lackingHere(_ lacking: WaitingCount, seconds: Int) -> String {
            tr(
                "\(Sentence.waiting(lacking)) did not come: nothing has moved for \(seconds) seconds."
            )
        }

        package static func unfit(_ files: WaitingCount) -> String {
            tr("This disk has no room for \(Sentence.waiting(files)). Make room, then sync again.")
        }

        package static func failed(_ files: WaitingCount) -> String {
            tr("\(Sentence.waiting(files)) could not be fetched in three tries: peersync status")
        }

        package static func elsewhere(_ files: WaitingCount) -> String {
            tr(
                "\(Sentence.waiting(files)) of your trips did not come: no device in reach has them."
            )
        }

        /// What would be lost with this device.
        package static func onlyHere(_ part: SyncReport.OnlyHere) -> String {
            let name = Sentence.name(
                part.space.name.isEmpty ? part.space.shortID : part.space.name)
            let unfinished = part.unfinished.map { Sentence.Unfinished.onlyHere($0, of: name) }
            guard part.waiting != .nothing else { return unfinished ?? "" }
            let waiting =
                part.shared
                ? tr("Not on any other device yet: \(Sentence.waiting(part.waiting)) of \(name).")
                : tr("Only this device has \(name); share it, or add another device of yours.")
            return [waiting, unfinished].compactMap(\.self).joined(separator: "\n")
        }

        package static let stoppedWaiting = APIError(
            code: .failed, sentence: "Stopped waiting. A running agent goes on syncing by itself.")

        package static func moved(sent: WaitingCount, received: WaitingCount) -> String {
            switch (sent == .nothing, received == .nothing) {
            case (true, true): reached
            case (false, true): tr("sent \(Sentence.waiting(sent))")
            case (true, false): tr("got \(Sentence.waiting(received))")
            case (false, false):
                tr("sent \(Sentence.waiting(sent)), got \(Sentence.waiting(received))")
            }
        }
    }
}
