internal import LocalAPI

/// The texts about a new device: of `init`, and of `recovery use`.
enum SetupText {
    static var askPersonName: String { tr("Your name, as friends will see it") }
    static var askDeviceName: String { tr("Name of this device") }

    static func done(device: String, person: String) -> String {
        tr("This computer is now \(Sentence.name(device)), a device of \(Sentence.plain(person)).")
    }

    static func recoveryKey(_ key: String) -> String {
        tr(
            """
            Your recovery key, shown only now:

                \(key)

            Write it down and keep it away from your devices. With it you can prove that you are
            you when all your devices are lost or stolen; who has it can act as you.
            """)
    }
}
