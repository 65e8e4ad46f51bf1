/// Sentences of `peersync doctor network`.
extension Sentence {
    package enum Doctor {
        /// What was seen, and what to do about it.
        package struct Words: Sendable {
            package let message: Message
            package let advice: Message?

            package init(_ sentence: Message, _ remedy: Message? = nil) {
                (message, advice) = (sentence, remedy)
            }

            /// Words that are in their reader's language already.
            package init(verbatim sentence: String, _ remedy: String?) {
                self.init(Message(verbatim: sentence), remedy.map(Message.init(verbatim:)))
            }

            /// As status says it.
            package init(_ words: Sentence.Problem.Words) {
                self.init(words.message, words.advice)
            }

            package var sentence: String { message.text }
            package var remedy: String? { advice?.text }
        }

        package static var allWell: String {
            tr("Nothing stands in the way of devices finding each other.")
        }
        package static let notChecked = Words("This was not checked.")

        // MARK: Avahi

        package static let avahiRuns = Words("Avahi runs: devices can be found by themselves.")

        // MARK: Network

        package static let noNetwork = Words(
            "This computer is not connected to any network.", "Connect it to the others' network.")

        package static func interface(_ name: String, _ addresses: [String]) -> Words {
            Words("\(name) is connected: \(addresses.joined(separator: ", ")).")
        }

        package static func noMulticast(_ name: String) -> Words {
            Words(
                "\(name) cannot multicast, so nobody is found through it.",
                "Use another network, or add addresses by hand.")
        }

        // MARK: This computer's port

        package static func listens(_ port: UInt16) -> Words {
            Words("peersync listens on TCP port \(port).")
        }

        package static func doesNotListen(_ port: UInt16) -> Words {
            Words(
                "Nobody can connect to TCP port \(port) of this computer.",
                "Start the agent: \(startAgent)")
        }

        package static func listeningUnknown(_ port: UInt16) -> Words {
            Words("Whether others can connect to TCP port \(port) could not be found out.")
        }

        package static func firewallOpen(_ port: String) -> Words {
            Words("No firewall rule here stands in the way of \(port).")
        }

        package static func firewallUnknown(_ port: String, _ reason: String) -> Words {
            Words("Whether a firewall here drops \(port) is not known: \(reason).")
        }

        package static var needsRoot: String { tr("reading the rules needs root") }
        package static var noTool: String { tr("the program nft is not installed") }
        package static var intricate: String { tr("the rules are too intricate to judge") }

        // MARK: Announcements

        package static let announced = Words("This device's own announcement is visible.")
        package static let notAnnounced = Words(
            "Avahi runs but does not show this device.", "sudo systemctl restart avahi-daemon")
        package static let announcementUnknown = Words(
            "This device does not announce itself at the moment.")

        package static func others(_ count: Int) -> Words {
            Words(
                verbatim: tr(
                    count, "\(count) other device announced.", "\(count) other devices announced."),
                nil)
        }

        package static let noOthers = Words(
            "No other device announces itself here.",
            "Check that peersync runs there and both are on the same network.")

        // MARK: Multicast and peers

        package static let multicastWorks = Words("Multicast works on this network.")
        package static let multicastUnknown = Words(
            "Whether multicast works here cannot be told: nobody answered and there is nobody to compare with."
        )

        package static let multicastNotAsked = Words(
            "Whether multicast works was not looked at: this network has no IPv4 addresses.")

        package static func multicastBlocked(_ peer: String) -> Words {
            Words(
                "Multicast is blocked: nobody answers it, although \(peer) takes connections.",
                "Known devices still sync. For others use: peersync join --at ADDRESS")
        }

        package static let isolated = Words(
            "No known device answers: the network keeps its clients apart, or the others are off.",
            "Guest networks often do that: use the main one, or a cable.")

        package static func reachable(_ peer: String) -> Words {
            Words("\(peer) takes connections.")
        }

        package static func refuses(_ peer: String) -> Words {
            Words("The computer at \(peer) answers, but peersync takes no connections there.")
        }

        package static func silent(_ peer: String) -> Words { Words("\(peer) does not answer.") }

        package static func nameUnknown(_ peer: String) -> Words {
            Words(
                "The name in \(peer) is not known here.", "Use a number, for example 192.168.1.20")
        }
    }
}
