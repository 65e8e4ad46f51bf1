/// The words of `why`.
extension Sentence {
    package enum Why {
        package static func schema(_ obstacle: SchemaObstacle) -> String {
            switch obstacle {
            case .newer: tr("its schema is of a newer peersync: it is kept here, and not shown")
            case .unreadable: tr("its schema cannot be read here: it is kept, and not shown")
            case .absent: tr("its schema is not here yet: it is kept, and not shown")
            }
        }

        package static func callAgain(_ device: String, _ error: CallError) -> String {
            guard error != .notListening else {
                return tr(
                    """
                    On \(plain(device)): peersync sync on; if no agent runs there: \
                    \(startAgent)
                    """)
            }
            return tr(
                """
                See that \(plain(device)) is on and its agent runs; if so: peersync doctor network
                """)
        }
    }
}
