extension CommandHelp {
    package static let peersync = CommandHelp(
        "Keeps trips, photos and notes the same on all your devices, without a server.",
        examples: ["peersync init", "peersync pair", "peersync trip create \"Arezzo 2008\""],
        remarks: """
            Without a command it shows the status, or the first step to take. TRIP, MEMORY, DEVICE \
            and PERSON are names or the first letters of an id; quote names with spaces.

            Exit codes: 0 done, 1 failed, 3 some devices unreachable, 64 wrong usage.
            """)

    package static let initialise = CommandHelp(
        "Set up this computer as your first device.",
        examples: [
            "peersync init",
            "peersync init --name laptop --person Ann --recovery-file ~/ann.key",
        ],
        remarks: """
            Shows your recovery key once: write it down. If you already use peersync on another \
            device, run 'peersync join --mine' instead.
            """)

    package static let run = CommandHelp(
        "Run the agent: find your devices and keep them in sync.",
        examples: ["peersync run", "peersync run --port 4900 --log info"],
        remarks: """
            It runs until Ctrl-C. To run it always, install examples/peersync.service as a \
            systemd user unit.
            """)

    package static let status = CommandHelp(
        "Show devices, trips and what waits for whom.",
        examples: ["peersync status", "peersync status --json"],
        remarks: """
            \u{2713} synced, \u{21BB} syncing, \u{2022} something waits, \u{25CB} not in reach, \
            ! needs you.
            """)

    package static let sync = CommandHelp(
        "Sync now, or switch sync on or off.",
        examples: ["peersync sync", "peersync sync off"],
        remarks: """
            Says what moved when it is done; the exit code is 3 when some devices were not \
            reached. With sync off nothing listens and nothing is sent, and everything on this \
            computer still works.
            """)

    package static let digest = CommandHelp(
        "Print a checksum of a trip, equal on devices that show the same.",
        examples: ["peersync digest \"Arezzo 2008\""],
        remarks: """
            The second line says how many files were read and verified on this device.
            """)

    package static let doctor = CommandHelp(
        "Find out what is wrong, and put it right.",
        examples: [
            "peersync doctor", "peersync doctor --repair", "peersync doctor --report bug.json",
            "peersync doctor network",
        ],
        remarks: """
            Verifies every change, file and signature, and looks at permissions, disk, clocks and \
            network, with the agent running or not. The exit code is 0 when all is sound, 1 when \
            something is left to do. --repair narrows permissions, makes what is shown anew from \
            the log, and fetches damaged files again; nothing is deleted but unfinished files.
            """)

    package static let doctorNetwork = CommandHelp(
        "Find out why devices do not find each other, and what to do.",
        examples: ["peersync doctor network"],
        remarks: """
            Tells apart a missing Avahi, a firewall, blocked multicast and a network that keeps \
            its devices apart. Takes a few seconds.
            """)

    package static let pair = CommandHelp(
        "Show a code with which another device can connect.",
        examples: ["peersync pair", "peersync pair --link"],
        remarks: """
            Type the code on the other device with 'peersync join' within two minutes. Then both \
            of you confirm the other's name. With --json every change is one line of JSON, the \
            first with the code.
            """)

    package static let join = CommandHelp(
        "Connect with a device that shows a code.",
        examples: [
            "peersync join",
            "peersync join --mine",
            "echo 7-4827-1956 | peersync join --yes --at 192.168.1.20",
        ],
        remarks: """
            Asks for the code, or reads it from standard input; it is never an argument, so that \
            it is not left in the shell's history. With --mine this becomes a further device of \
            yours.
            """)

    package static let device = CommandHelp(
        "List and manage the devices you know.", examples: ["peersync device list"])
    package static let deviceList = CommandHelp(
        "List the devices you know.", examples: ["peersync device list"])
    package static let deviceForget = CommandHelp(
        "Stop trusting a device.", examples: ["peersync device forget old-phone"],
        remarks: "It keeps what it has, but gets nothing new from here until you pair again.")
    package static let deviceAddress = CommandHelp(
        "Manage fixed addresses of devices.",
        examples: ["peersync device address add phone 192.168.1.20"])
    package static let deviceAddressAdd = CommandHelp(
        "Remember an address for a device that is not found by itself.",
        examples: [
            "peersync device address add phone 192.168.1.20",
            "peersync device address add phone \"[2001:db8::20]:4827\"",
        ])
}
