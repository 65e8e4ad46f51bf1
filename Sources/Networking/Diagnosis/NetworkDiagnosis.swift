import Device
package import Discovery
package import LocalAPI
import Records
import SyncCore

private typealias Words = Sentence.Doctor.Words

/// What the network probe found, in sentences.
package struct NetworkDiagnosis {
    package let report: NetworkReport

    /// `problems` are what status says of other devices: one that answers and refuses is no fault of the
    /// network, but still prevents sync.
    package init(
        _ findings: [NetworkFinding], _ problems: [ProblemView] = [], on machine: MachineFacts,
        isMasked: Bool = false
    ) {
        let said =
            findings.map { isMasked ? $0.masked : $0 }.map {
                NetworkDiagnosis.finding($0, machine)
            }
            + problems.map {
                NetworkReport.Finding(
                    check: .reachable, level: $0.urgent ? .problem : .note,
                    sentence: $0.sentence, remedy: $0.remedy)
            }
        let worst = said.first { $0.level == .problem } ?? said.first { $0.level == .note }
        report = NetworkReport(
            verdict: worst?.sentence
                ?? tr("Nothing stands in the way of devices finding each other."), findings: said)
    }

    private static func finding(
        _ finding: NetworkFinding, _ machine: MachineFacts
    ) -> NetworkReport.Finding {
        switch finding {
        case .noDBus: noDiscovery(.noDBus, machine)
        case .noAvahiDaemon: noDiscovery(.noAvahiDaemon, machine)
        case .avahiFailed(let code, let message):
            noDiscovery(.failed(code: code, message: message), machine)
        case .avahiRunning:
            make(.avahi, .ok, Words("Avahi runs: devices can be found by themselves."))
        case .noNetwork, .interface, .interfaceWithoutMulticast: network(finding)
        case .portListening, .portOnLoopbackOnly, .portNotListening, .portUnknown:
            listening(finding)
        case .firewallClosed, .firewallPossible, .firewallOpen, .firewallUnknown:
            firewall(finding, machine.administration)
        case .ownAdvertisementSeen, .ownAdvertisementNotSeen, .ownAdvertisementUnknown,
            .othersSeen, .nothingSeen:
            announcements(finding)
        case .multicastAnswered, .multicastBlocked, .isolatedOrOffline, .multicastUnknown,
            .multicastNotAsked:
            multicast(finding)
        case .peerReachable, .peerRefuses, .peerSilent, .peerNameUnknown, .peerUnreachable:
            peer(finding)
        }
    }

    private static func noDiscovery(
        _ outage: DiscoveryOutage, _ machine: MachineFacts
    ) -> NetworkReport.Finding {
        let fault = DiscoveryFault(outage, machine)
        return make(
            .avahi, .problem,
            Words(fault.words(machine.administration)))
    }

    private static func network(_ finding: NetworkFinding) -> NetworkReport.Finding {
        switch finding {
        case .interface(let name, let addresses):
            make(
                .network, .ok, Words("\(name) is connected: \(addresses.joined(separator: ", "))."))
        case .interfaceWithoutMulticast(let name):
            make(
                .network, .note,
                Words(
                    "\(name) cannot multicast, so nobody is found through it.",
                    "Use another network, or add addresses by hand."))
        default:
            make(
                .network, .problem,
                Words(
                    "This computer is not connected to any network.",
                    "Connect it to the others' network."))
        }
    }

    private static func listening(_ finding: NetworkFinding) -> NetworkReport.Finding {
        switch finding {
        case .portListening(let port):
            make(.listening, .ok, Words("peersync listens on TCP port \(port)."))
        case .portOnLoopbackOnly(let port), .portNotListening(let port):
            make(
                .listening, .problem,
                Words(
                    "Nobody can connect to TCP port \(port) of this computer.",
                    "Start the agent: \(Sentence.startAgent)"))
        case .portUnknown(let port):
            make(
                .listening, .note,
                Words("Whether others can connect to TCP port \(port) could not be found out."))
        default: make(.listening, .skipped, notChecked)
        }
    }

    private static func firewall(
        _ finding: NetworkFinding, _ administration: Administration
    ) -> NetworkReport.Finding {
        func words(
            _ port: FirewallPort, _ program: FirewallProgram, isCertain: Bool
        ) -> Words {
            let obstacle = FirewallObstacle(
                FirewallObstacle.Program(program), [FirewallObstacle.Port(port)],
                isCertain: isCertain)
            return Words(obstacle.words(administration))
        }
        return switch finding {
        case .firewallClosed(let port, let program):
            make(.listening, .problem, words(port, program, isCertain: true))
        case .firewallPossible(let port, let program):
            make(.listening, .note, words(port, program, isCertain: false))
        case .firewallUnknown(let port, let why):
            make(
                .listening, .note,
                Words("Whether a firewall here drops \(name(port)) is not known: \(reason(why))."))
        case .firewallOpen(let port):
            make(
                .listening, .ok, Words("No firewall rule here stands in the way of \(name(port))."))
        default: make(.listening, .skipped, notChecked)
        }
    }

    private static func name(_ port: FirewallPort) -> String {
        switch port {
        case .multicastDNS: "UDP 5353"
        case .sessions(let number): "TCP \(number)"
        }
    }

    private static func reason(_ ignorance: FirewallIgnorance) -> String {
        switch ignorance {
        case .notPermitted: tr("reading the rules needs root")
        case .noTool: tr("the program nft is not installed")
        case .intricate: tr("the rules are too intricate to judge")
        }
    }

    private static func announcements(_ finding: NetworkFinding) -> NetworkReport.Finding {
        switch finding {
        case .ownAdvertisementSeen:
            make(.multicast, .ok, Words("This device's own announcement is visible."))
        case .ownAdvertisementNotSeen:
            make(
                .multicast, .problem,
                Words(
                    "Avahi runs but does not show this device.",
                    "sudo systemctl restart avahi-daemon"))
        case .othersSeen(let count):
            make(
                .announcements, .ok,
                Words(
                    verbatim: tr(
                        count, "\(count) other device announced.",
                        "\(count) other devices announced."), nil))
        case .nothingSeen:
            make(
                .announcements, .note,
                Words(
                    "No other device announces itself here.",
                    "Check that peersync runs there and both are on the same network."))
        default:
            make(.multicast, .skipped, Words("This device does not announce itself at the moment."))
        }
    }

    private static func multicast(_ finding: NetworkFinding) -> NetworkReport.Finding {
        switch finding {
        case .multicastAnswered:
            make(.multicast, .ok, Words("Multicast from this computer reaches others."))
        case .multicastBlocked(let peer):
            make(
                .multicast, .problem,
                Words(
                    """
                    Multicast is blocked: nobody answers it, although \(peer.description) takes \
                    connections.
                    """,
                    "Known devices still sync. For others use: peersync join --at ADDRESS"))
        case .isolatedOrOffline:
            make(
                .reachable, .problem,
                Words(
                    """
                    No known device answers: the network keeps its clients apart, or the others \
                    are off.
                    """,
                    "Guest networks often do that: use the main one, or a cable."))
        case .multicastNotAsked:
            make(
                .multicast, .skipped,
                Words(
                    "Whether multicast works was not looked at: this network has no IPv4 addresses."
                ))
        default:
            make(
                .multicast, .note,
                Words(
                    """
                    Whether multicast works here cannot be told: nobody answered and there is \
                    nobody to compare with.
                    """))
        }
    }

    private static func peer(_ finding: NetworkFinding) -> NetworkReport.Finding {
        switch finding {
        case .peerReachable(let peer):
            make(.reachable, .ok, Words("\(peer.description) takes connections."))
        case .peerRefuses(let peer):
            make(
                .reachable, .note,
                Words(
                    """
                    The computer at \(peer.description) answers, but peersync takes no connections \
                    there.
                    """))
        case .peerNameUnknown(let peer):
            make(
                .reachable, .note,
                Words(
                    "The name in \(peer.description) is not known here.",
                    "Use a number, for example 192.168.1.20"))
        case .peerSilent(let peer), .peerUnreachable(let peer):
            make(.reachable, .note, Words("\(peer.description) does not answer."))
        default: make(.reachable, .skipped, notChecked)
        }
    }

    private static func make(
        _ check: NetworkReport.Check, _ level: NetworkReport.Level,
        _ words: Words
    ) -> NetworkReport.Finding {
        NetworkReport.Finding(
            check: check, level: level, sentence: words.sentence, remedy: words.remedy)
    }
}

extension NetworkFinding {
    /// The same without addresses that others could find this network by.
    fileprivate var masked: NetworkFinding {
        switch self {
        case .interface(let name, let addresses):
            .interface(name: name, addresses: addresses.map { ReportMask.host($0) })
        case .multicastBlocked(let peer): .multicastBlocked(reachable: peer.masked)
        case .peerReachable(let peer): .peerReachable(peer.masked)
        case .peerRefuses(let peer): .peerRefuses(peer.masked)
        case .peerSilent(let peer): .peerSilent(peer.masked)
        case .peerNameUnknown(let peer): .peerNameUnknown(peer.masked)
        case .peerUnreachable(let peer): .peerUnreachable(peer.masked)
        default: self
        }
    }
}

extension HostPort {
    fileprivate var masked: HostPort { HostPort(host: ReportMask.host(host), port: port) }
}

private var notChecked: Words { Words("This was not checked.") }
