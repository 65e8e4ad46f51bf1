extension CommandHelp {
    package static let peersync = CommandHelp(
        "Keeps trips, photos and notes the same on all your devices, without a server.",
        examples: ["peersync init", "peersync pair", "peersync trip create \"Arezzo 2008\""],
        remarks: """
            Without a command it shows the status, or how to get started. TRIP, MEMORY, DEVICE \
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
            It runs until Ctrl-C. To keep it running in the background: peersync service install
            """)

    package static let status = CommandHelp(
        "Show devices, trips and pending changes.",
        examples: ["peersync status", "peersync status --watch", "peersync status --short"],
        remarks: """
            \u{2713} synced, \u{21BB} syncing, \u{2022} pending, \u{25CB} not reachable, \
            ! needs your attention. The line of --short begins with that sign; the exit code is 0, and \
            1 when peersync is not set up or the agent does not answer within 2 seconds.
            """)

    package static let log = CommandHelp(
        "Show what others changed since you last looked.",
        examples: [
            "peersync log", "peersync log Arezzo", "peersync log --since yesterday",
            "peersync log --since all --limit 500",
        ],
        remarks: """
            Each line is one change: when it was written, where, by whom; what came last is last. \
            What came from your other devices and from others counts as new until you look, however \
            long ago it was written; what you wrote on this device does not. With --since it shows \
            everything that came or was written from that time on, and what is new stays new, as it \
            does with --json. Above the list it says what a device brought that was long away, or \
            deleted in large numbers, and how to undo it.
            """)

    package static let sync = CommandHelp(
        "Sync now, or switch sync on or off.",
        examples: ["peersync sync", "peersync sync --last", "peersync sync off"],
        remarks: """
            It waits until this device and all that can be reached have everything from each other, \
            then prints what was transferred and what no other device has yet. The exit code is 1 \
            if something could not be brought, and 3 if some devices could not be reached. With sync off the agent does not listen and sends nothing; everything on \
            this computer still works.
            """)

    package static let digest = CommandHelp(
        "Print a checksum of a trip, equal on devices that show the same.",
        examples: ["peersync digest \"Arezzo 2008\""],
        remarks: """
            The second line shows how many files were read and verified on this device.
            """)

    package static let doctor = CommandHelp(
        "Find problems and repair them.",
        examples: [
            "peersync doctor", "peersync doctor --repair", "peersync doctor --report bug.json",
            "peersync doctor network",
        ],
        remarks: """
            Verifies every change, file and signature, and checks permissions, disk, clocks and \
            network. It works with and without a running agent. The exit code is 0 if there are no \
            problems left and 1 otherwise. --repair restricts permissions, rebuilds the shown data \
            from the log, and fetches damaged files again; it deletes only unfinished files.
            """)

    package static let doctorNetwork = CommandHelp(
        "Find out why devices do not find each other, and what to do.",
        examples: ["peersync doctor network"],
        remarks: """
            Distinguishes a missing Avahi, a firewall, blocked multicast and a network that isolates \
            its devices. Takes a few seconds.
            """)

    package static let pair = CommandHelp(
        "Show a code that lets another device connect.",
        examples: ["peersync pair", "peersync pair --link"],
        remarks: """
            On the other device, run 'peersync join' and type the code within two minutes. Then both \
            of you confirm the other's name. If the other device does not find this one, add the \
            address that is shown: peersync join --at ADDRESS. With --json, every step prints one \
            line of JSON; the first contains the code.
            """)

    package static let join = CommandHelp(
        "Connect with a device that shows a code.",
        examples: [
            "peersync join",
            "peersync join 7-4827-1956 --mine",
            "echo 7-4827-1956 | peersync join --yes --at 192.168.1.20",
        ],
        remarks: """
            Without a code it asks for one, or reads it from standard input. Other users of this \
            computer can see arguments while the command runs; a code works once and for two \
            minutes. Put a link in quotes. --mine makes this computer another device of yours.
            """)

    package static let device = CommandHelp(
        "List and manage the devices you know.", examples: ["peersync device list"])
    package static let deviceList = CommandHelp(
        "List the devices you know.", examples: ["peersync device list"])
    package static let deviceForget = CommandHelp(
        "Stop trusting a device.", examples: ["peersync device forget old-phone"],
        remarks: "It keeps the data it has, but gets nothing new from here until you pair again.")
    package static let deviceRedate = CommandHelp(
        "Date changes of a device anew whose clock was wrong.",
        examples: [
            "peersync device redate phone",
            "peersync device redate phone --from \"2026-07-01\" --to \"2026-07-03\" --later 1h",
            "peersync device redate phone --undo",
        ],
        remarks: """
            What was changed on two devices at once is decided by time, so changes dated in the future \
            win until that time has come. Without options this command finds those of the device, \
            also of this one, in all trips, and dates them when they came here. It says what would \
            change, and asks. Whoever made them may do this, and every admin of the trip. All \
            devices then show the same; --undo takes it back. Times are those of the device's own \
            clock.
            """)
    package static let deviceAddress = CommandHelp(
        "Manage fixed addresses of devices.",
        examples: ["peersync device address add phone 192.168.1.20"])
    package static let deviceAddressAdd = CommandHelp(
        "Save an address for a device that is not found automatically.",
        examples: [
            "peersync device address add phone 192.168.1.20",
            "peersync device address add phone \"[2001:db8::20]:4827\"",
        ])
}
