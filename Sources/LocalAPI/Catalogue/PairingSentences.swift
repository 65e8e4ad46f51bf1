extension Sentence {
    /// The words and questions of `pair`, `join` and `device`.
    package enum Pairing {
        /// The command for joining where this device cannot be discovered.
        package static func atAddress(_ view: PairingView) -> String {
            let addresses = view.addresses ?? []
            guard let first = addresses.first else {
                return tr(
                    """
                    This computer is not connected to a network: nobody can use the code until it \
                    is.
                    """)
            }
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

        package static func remaining(seconds: Int) -> String {
            let padded = seconds % 60 < 10 ? "0\(seconds % 60)" : "\(seconds % 60)"
            return tr("Works once, for another \(seconds / 60):\(padded). Ctrl-C to stop.")
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

        package static func askConfirm(_ other: PairingView.Other) -> String {
            other.mine
                ? tr("Make both devices belong to \(plain(other.personName))?")
                : tr("Pair with \(plain(other.personName))?")
        }

        package static var confirmationWillBeAsked: String {
            tr("Is the name on the other side the one you expect?")
        }

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

        /// A device to be forgotten shares these.
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
    }
}
