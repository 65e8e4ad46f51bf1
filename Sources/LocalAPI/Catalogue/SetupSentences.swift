extension Sentence {
    /// What `init` and `run` say and ask.
    package enum Setup {
        package static let askPersonName = "Your name, as friends will see it"
        package static let askDeviceName = "Name of this device"

        package static func done(device: String, person: String) -> String {
            "This computer is now \(Sentence.name(device)), a device of \(plain(person))."
        }

        package static func recoveryKey(_ key: String) -> String {
            """
            Your recovery key, shown only now:

                \(key)

            Write it down and keep it away from your devices. With it you can prove that you are
            you when all your devices are lost or stolen; who has it can act as you.
            """
        }

        package static func recoveryFile(_ path: String) -> String {
            """
            Your recovery key is in \(path). Move that file away from your devices, for example to
            a USB stick. With it you can prove that you are you when all your devices are lost or
            stolen; who has it can act as you.
            """
        }

        package static let nextSteps = """
            Next:
              peersync pair                          connect another device or a friend
              peersync trip create "Arezzo 2008"     make your first trip
              peersync run                           keep everything in sync
            """

        package static func recoveryFileFailed(_ problem: APIError) -> String {
            "\(problem.sentence) So here is the recovery key:"
        }

        package static let running = "The agent runs. Ctrl-C stops it."
    }

    /// What `sync` says.
    package enum Sync {
        package static let nowOn = "Sync is on."
        package static let onWithoutAgent =
            "Sync is on. Start the agent to use it: peersync run"
        package static let nowOff =
            """
            Sync is off: nothing listens, nothing is sent. Everything on this computer still \
            works.
            """
        package static let noDevices =
            "There is no other device to sync with yet. Connect one: peersync pair"
        package static let notReached = "not reached"
        package static let notFinished =
            "Not everything was exchanged in time; it goes on by itself."
        package static let reached = "nothing to do"

        package static func someUnreachable(_ number: Int, of total: Int) -> String {
            number == total
                ? "No other device was reached."
                : "\(number) of \(Sentence.count(total, "device", "devices")) could not be reached."
        }

        package static let unreachableHint = """
            Switch them on and connect them to this network; what is new waits for them. \
            If they are on: peersync doctor network
            """

        package static func moved(sent: WaitingCount, received: WaitingCount) -> String {
            switch (sent == .nothing, received == .nothing) {
            case (true, true): reached
            case (false, true): "sent \(Sentence.waiting(sent))"
            case (true, false): "got \(Sentence.waiting(received))"
            case (false, false):
                "sent \(Sentence.waiting(sent)), got \(Sentence.waiting(received))"
            }
        }
    }
}
