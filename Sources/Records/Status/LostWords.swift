internal import LocalAPI

/// Problems with lost devices and recovery keys, in words.
enum LostWords {
    /// About this device. `signer` is the device that reported it; nil: the recovery key.
    static func here(by signer: String?, _ device: String) -> Sentence.Problem.Words {
        let who = signer.map { Sentence.plain($0) } ?? tr("Your recovery key")
        let place =
            signer.map { tr("on \(Sentence.plain($0))") } ?? tr("on another device of yours")
        return Sentence.Problem.Words(
            "\(who) called this device lost: who has heard of it gives it nothing any more.",
            "it was called lost",
            "Is it yours and in your hands? Type \(place): peersync device found \(Sentence.quoted(device))"
        )
    }

    /// About devices of this person that exchanged the recovery key, each for another one.
    static func contestedKey(_ devices: [String]) -> Sentence.Problem.Words {
        let names = Sentence.Member.list(devices.map { Sentence.plain($0) })
        return Sentence.Problem.Words(
            "\(names) exchanged your recovery key, each for another one: neither new key counts.",
            "the recovery key was exchanged for two different ones",
            "Exchange it again on a device that is older than these: peersync recovery exchange"
        )
    }

    /// About another device; without a time when it is lost together with the one that let it in.
    static func device(
        _ device: String, by signer: String?, seconds: Int?
    ) -> Sentence.Problem.Words {
        let phrase =
            seconds.map { seconds in
                let ago = Sentence.Status.ago(seconds: seconds)
                return signer.map { tr("called lost \(ago) by \(Sentence.plain($0))") }
                    ?? tr("called lost \(ago) by the recovery key")
            } ?? tr("lost with the device on which it was paired")
        return Sentence.Problem.Words(
            "\(Sentence.plain(device)) is \(phrase).", Message(verbatim: phrase),
            "Found again? Its person can take it back: peersync device found \(Sentence.quoted(device))"
        )
    }

    /// About a device that only the recovery key let in.
    static func cameByKey(
        _ device: String, to trips: [String], seconds: Int
    ) -> Sentence.Problem.Words {
        let places =
            trips.isEmpty ? tr("your trips") : Sentence.Member.list(trips.map { Sentence.name($0) })
        let what = tr(
            "came into \(places) with your recovery key \(Sentence.Status.ago(seconds: seconds))")
        return Sentence.Problem.Words(
            "\(Sentence.plain(device)) \(what).", Message(verbatim: what),
            """
            Was it not you? Put it out: peersync device lost \(Sentence.quoted(device)) --recovery-file FILE. If \
            it is yours, pair with it: peersync pair
            """)
    }
}
