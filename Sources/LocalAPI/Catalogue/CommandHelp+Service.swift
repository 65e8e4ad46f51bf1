extension CommandHelp {
    package static let service = CommandHelp(
        "Keep the agent running in the background, as a systemd user service.",
        examples: ["peersync service install", "peersync service status"])

    package static let serviceInstall = CommandHelp(
        "Start the agent now and with each of your sessions.",
        examples: ["peersync service install"],
        remarks: """
            It needs no root. The service uses the same data as your commands, also with --home. \
            Without lingering it runs while you are logged in; 'loginctl enable-linger' keeps it \
            running from the start of the computer.

            The device's keys may come from systemd's credential store: move device.key out of the \
            data folder, and add with 'systemctl --user edit peersync':

              [Service]
              LoadCredential=device.key:/path/to/device.key
            """)

    package static let serviceRemove = CommandHelp(
        "Stop the agent and do not start it by itself any more.",
        examples: ["peersync service remove"],
        remarks: "Your data stays. Only files written by 'peersync service install' are deleted.")

    package static let serviceStatus = CommandHelp(
        "Show whether the service runs, and why it failed.",
        examples: ["peersync service status", "peersync service status --json"])

    package static let serviceLogs = CommandHelp(
        "Show what the service said.",
        examples: [
            "peersync service logs", "peersync service logs --follow",
            "peersync service logs --level warning --since yesterday",
        ])
}
