extension Sentence {
    /// Words for an agent whose version differs from that of the asking program: usually because peersync
    /// was updated and the agent was not restarted.
    package enum AgentVersion {
        package static func sentence(_ age: AgentAge) -> String {
            switch age {
            case .older: tr("The agent that runs here is older than this program.")
            case .newer: tr("The agent that runs here is newer than this program.")
            case .another, .same: tr("The agent that runs here is another build than this program.")
            }
        }

        package static func remedy(_ age: AgentAge) -> String {
            switch age {
            case .newer: tr("Use the peersync that started it, or update this one.")
            case .older, .another, .same:
                tr(
                    """
                    Restart it: systemctl --user restart peersync; without the service, stop it and \
                    type 'peersync run'.
                    """)
            }
        }
    }
}
