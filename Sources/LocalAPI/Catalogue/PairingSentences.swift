extension Sentence {
    /// What `pair`, `join` and `device` say and ask.
    package enum Pairing {
        package static var typeThisCode: String {
            tr("On the other device, run 'peersync join' and type this code:")
        }
        package static var useThisLink: String {
            tr("On the other device, run 'peersync join' and paste this link:")
        }

        /// How to join where this device is not found by itself.
        package static func atAddress(_ view: PairingView) -> String {
            let addresses = view.addresses ?? []
            guard let first = addresses.first else { return noAddress }
            let others = addresses.dropFirst()
            let also = others.isEmpty ? "" : tr("  (or \(others.joined(separator: ", ")))")
            let join = "peersync join --at \(first)\(also)"
            guard view.discovery == .noAvahi else {
                return tr("If it does not find this one: \(join)")
            }
            return tr(
                """
                Avahi does not run here, so the other device cannot find this one by itself. Run there:

                    \(join)

                To be found: \(view.remedy ?? "peersync doctor network")
                """)
        }

        private static var noAddress: String {
            tr("This computer is not connected to a network: nobody can use the code until it is.")
        }

        package static func remaining(seconds: Int) -> String {
            let padded = seconds % 60 < 10 ? "0\(seconds % 60)" : "\(seconds % 60)"
            return tr("Works once, for another \(seconds / 60):\(padded). Ctrl-C to stop.")
        }

        package static var askCode: String { tr("Code or link shown on the other device") }
        package static var looking: String { tr("Looking for the other device\u{2026}") }
        package static var checking: String { tr("Connected. Checking the code\u{2026}") }
        package static var rightCode: String { tr("The code is right.") }
        /// `isMine` where both devices become one person's.
        package static func waitingForOther(isMine: Bool) -> String {
            isMine
                ? tr("Waiting for the yes on the other device\u{2026}")
                : tr("Waiting for the other person to say yes\u{2026}")
        }

        package static func whoIsThere(_ other: PairingView.Other) -> String {
            other.mine
                ? tr(
                    """
                    The other device is \(Sentence.name(other.deviceName)) of \
                    \(plain(other.personName)).
                    """)
                : tr(
                    """
                    The other person is \(plain(other.personName)), with the device \
                    \(Sentence.name(other.deviceName)).
                    """)
        }

        /// The remark to compare names before saying yes.
        package static func compare(myPerson: String, myDevice: String) -> String {
            tr(
                """
                Compare: that must be the name of the person or device next to you, and their screen
                must show yours: \(plain(myPerson)), \(Sentence.name(myDevice)). Otherwise say no.
                """)
        }

        /// The same remark where both devices become one person's: each shows that person, whatever the
        /// other one was called before.
        package static func compare(myDevice: String) -> String {
            tr(
                """
                Compare: that must be your other device, and its screen must show this one:
                \(Sentence.name(myDevice)). Otherwise say no.
                """)
        }

        package static func askConfirm(_ other: PairingView.Other) -> String {
            other.mine
                ? tr("Make both devices belong to \(plain(other.personName))?")
                : tr("Pair with \(plain(other.personName))?")
        }

        package static var confirmationWillBeAsked: String {
            tr("Is the name on the other side the one you expect?")
        }
        package static var askReplacePerson: String { tr("Go on?") }

        package static func stored(_ other: PairingView.Other?) -> String {
            guard let other else { return tr("Paired.") }
            return other.mine
                ? tr(
                    """
                    Done: this device and \(Sentence.name(other.deviceName)) both belong to \
                    \(plain(other.personName)).
                    """)
                : tr("Paired with \(plain(other.personName)) (\(plain(other.deviceName))).")
        }

        package static func nextSteps(_ other: PairingView.Other?) -> String {
            guard let other, !other.mine else {
                return tr("Next: 'peersync service install' on both keeps them in sync.")
            }
            return tr(
                """
                Nothing is shared yet. To share a trip: \
                peersync trip grant TRIP \(quoted(other.personName))
                """)
        }

        package static func askForget(device: String, person: String) -> String {
            tr(
                """
                \(Sentence.name(device)) of \(plain(person)) will no longer be trusted here until \
                you pair again, unless you share a trip with it. \
                What it already has, it keeps. Forget it?
                """)
        }

        /// A device that is to be forgotten shares these.
        package static func stillShares(device: String, trips: [String], isOwn: Bool) -> APIError {
            let names = Sentence.Member.list(trips.map { Sentence.name($0) })
            let revoke = trips.first.map {
                "peersync trip revoke \(Sentence.quoted($0)) \(Sentence.quoted(device))"
            }
            return APIError(
                code: .conflict,
                sentence: """
                    \(Sentence.name(device)) shares \(names) with you: forgotten, it would still get all \
                    of that.
                    """,
                hint: isOwn
                    ? "Take everything from it: peersync device lost \(Sentence.quoted(device))"
                    : "Take it from that device first: \(revoke ?? "")")
        }

        package static func forgotten(device: String) -> String {
            tr("\(Sentence.name(device)) is forgotten.")
        }

        package static func addressAdded(_ address: String, device: String) -> String {
            tr("\(Sentence.name(device)) will also be tried at \(address).")
        }
    }
}
