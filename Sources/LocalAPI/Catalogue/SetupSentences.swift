extension Sentence {
    /// The words and questions of `init` and `run`.
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
    }

    /// The words of `sync`.
    package enum Sync {
        /// `2.4 s`, `35 seconds`, `3 minutes`.
        package static func took(_ milliseconds: Int64) -> String {
            guard milliseconds < 10_000 else {
                return Status.duration(Int(clamping: milliseconds / 1000))
            }
            let tenths = (milliseconds + 50) / 100
            return "\(Language.current.decimal(tenths: Int(tenths))) s"
        }

        /// Remarks on a run, beside the amounts; nil when there are none.
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

        /// Data that would be lost with this device.
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
            case (true, true): tr("nothing to do")
            case (false, true): tr("sent \(Sentence.waiting(sent))")
            case (true, false): tr("got \(Sentence.waiting(received))")
            case (false, false):
                tr("sent \(Sentence.waiting(sent)), got \(Sentence.waiting(received))")
            }
        }
    }
}
