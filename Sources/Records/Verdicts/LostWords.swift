internal import LocalAPI

/// Problems with lost devices and recovery keys, in words.
enum LostWords {
    /// Why a device is lost.
    enum Cause {
        /// The device of this name said so.
        case device(String)
        /// The recovery key said so.
        case key
        /// It came through the device of this name, which another device called lost; nil: the
        /// recovery key did.
        case lostWith(String, by: String?)
        /// It came in with a recovery key that was exchanged.
        case formerKey

        /// Whether the recovery key said so.
        fileprivate var isKey: Bool {
            switch self {
            case .key, .lostWith(_, by: nil): true
            case .device, .lostWith, .formerKey: false
            }
        }
    }

    /// About this device.
    static func here(_ cause: Cause, _ device: String) -> Sentence.Problem.Words {
        switch cause {
        case .device(let signer):
            Sentence.Problem.Words(
                """
                \(Sentence.plain(signer)) called this device lost: devices that have heard of it give it nothing any \
                more.
                """,
                "it was called lost",
                """
                Is it yours and in your hands? Type on \(Sentence.plain(signer)): peersync device found \
                \(Sentence.quoted(device))
                """)
        case .key:
            Sentence.Problem.Words(
                """
                Your recovery key called this device lost: devices that have heard of it give it nothing any more.
                """,
                "it was called lost",
                """
                Is it yours and in your hands? Type on another device of yours: peersync device found \
                \(Sentence.quoted(device)) --recovery-file FILE
                """)
        case .lostWith(let elder, let signer):
            Sentence.Problem.Words(
                """
                This device came to you through \(Sentence.plain(elder)), which is lost: devices that have heard of it \
                give this one nothing any more.
                """,
                "it is lost with \(Sentence.plain(elder))",
                wayBack(of: device, through: elder, signer))
        case .formerKey:
            Sentence.Problem.Words(
                """
                This device came in with a recovery key that you have exchanged: devices that have heard of it give it \
                nothing any more.
                """,
                "a former recovery key let it in",
                "Is it yours? Pair it with another device of yours: peersync pair")
        }
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

    /// About another device; `seconds` since this device heard that it was called lost.
    static func device(
        _ device: String, _ cause: Cause, seconds: Int
    ) -> Sentence.Problem.Words {
        let ago = Sentence.Status.ago(seconds: seconds)
        let phrase =
            switch cause {
            case .device(let signer): tr("called lost \(ago) by \(Sentence.plain(signer))")
            case .key: tr("called lost \(ago) by the recovery key")
            case .lostWith(let elder, _):
                tr("lost with \(Sentence.plain(elder)), through which it came")
            case .formerKey:
                tr("lost, because it came in with a recovery key that was exchanged")
            }
        return Sentence.Problem.Words(
            "\(Sentence.plain(device)) is \(phrase).", Message(verbatim: phrase),
            Message(verbatim: wayBack(of: device, cause)))
    }

    private static func wayBack(of device: String, _ cause: Cause) -> String {
        switch cause {
        case .device, .key:
            tr("Found again? Its person can take it back: \(found(device, byKey: cause.isKey))")
        case .lostWith(let elder, _):
            tr(
                """
                Was \(Sentence.plain(elder)) found? Its person can take it back: \(found(elder, byKey: cause.isKey))
                """)
        case .formerKey: tr("Its person can pair it again: peersync pair")
        }
    }

    /// The command that says that a device was found; only the recovery key takes back what it said.
    static func found(_ device: String, byKey: Bool) -> String {
        byKey
            ? tr("peersync device found \(Sentence.quoted(device)) --recovery-file FILE")
            : tr("peersync device found \(Sentence.quoted(device))")
    }

    /// Of this device, which is lost with another one: only what called that one lost can take it back or
    /// keep this one.
    private static func wayBack(
        of device: String, through elder: String, _ signer: String?
    ) -> Message {
        guard let signer else {
            return tr(
                """
                Was \(Sentence.plain(elder)) found? Type on another device of yours: peersync device found \
                \(Sentence.quoted(elder)) --recovery-file FILE. If it stays lost, keep this one, and type there: \
                peersync device lost \(Sentence.quoted(elder)) --keep \(Sentence.quoted(device)) --recovery-file FILE
                """)
        }
        return tr(
            """
            Was \(Sentence.plain(elder)) found? Type on \(Sentence.plain(signer)): peersync device found \
            \(Sentence.quoted(elder)). If it stays lost, keep this one, and type there: peersync device lost \
            \(Sentence.quoted(elder)) --keep \(Sentence.quoted(device))
            """)
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
