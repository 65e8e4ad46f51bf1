import Device
package import Discovery
package import LocalAPI
import SyncCore

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
            verdict: worst?.sentence ?? Sentence.Doctor.allWell, findings: said)
    }

    private static func finding(
        _ finding: NetworkFinding, _ machine: MachineFacts
    ) -> NetworkReport.Finding {
        switch finding {
        case .noDBus: noDiscovery(.noDBus, machine)
        case .noAvahiDaemon: noDiscovery(.noAvahiDaemon, machine)
        case .avahiFailed(let code, let message):
            noDiscovery(.failed(code: code, message: message), machine)
        case .avahiRunning: make(.avahi, .ok, Sentence.Doctor.avahiRuns)
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
            Sentence.Doctor.Words(Sentence.Problem.noDiscovery(fault, machine.administration)))
    }

    private static func network(_ finding: NetworkFinding) -> NetworkReport.Finding {
        switch finding {
        case .interface(let name, let addresses):
            make(.network, .ok, Sentence.Doctor.interface(name, addresses))
        case .interfaceWithoutMulticast(let name):
            make(.network, .note, Sentence.Doctor.noMulticast(name))
        default: make(.network, .problem, Sentence.Doctor.noNetwork)
        }
    }

    private static func listening(_ finding: NetworkFinding) -> NetworkReport.Finding {
        switch finding {
        case .portListening(let port): make(.listening, .ok, Sentence.Doctor.listens(port))
        case .portOnLoopbackOnly(let port), .portNotListening(let port):
            make(.listening, .problem, Sentence.Doctor.doesNotListen(port))
        case .portUnknown(let port):
            make(.listening, .note, Sentence.Doctor.listeningUnknown(port))
        default: make(.listening, .skipped, Sentence.Doctor.notChecked)
        }
    }

    private static func firewall(
        _ finding: NetworkFinding, _ administration: Administration
    ) -> NetworkReport.Finding {
        func words(
            _ port: FirewallPort, _ program: FirewallProgram, isCertain: Bool
        ) -> Sentence.Doctor.Words {
            let obstacle = FirewallObstacle(
                FirewallObstacle.Program(program), [FirewallObstacle.Port(port)],
                isCertain: isCertain)
            return Sentence.Doctor.Words(Sentence.Problem.firewall(obstacle, administration))
        }
        return switch finding {
        case .firewallClosed(let port, let program):
            make(.listening, .problem, words(port, program, isCertain: true))
        case .firewallPossible(let port, let program):
            make(.listening, .note, words(port, program, isCertain: false))
        case .firewallUnknown(let port, let why):
            make(.listening, .note, Sentence.Doctor.firewallUnknown(name(port), reason(why)))
        case .firewallOpen(let port):
            make(.listening, .ok, Sentence.Doctor.firewallOpen(name(port)))
        default: make(.listening, .skipped, Sentence.Doctor.notChecked)
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
        case .notPermitted: Sentence.Doctor.needsRoot
        case .noTool: Sentence.Doctor.noTool
        case .intricate: Sentence.Doctor.intricate
        }
    }

    private static func announcements(_ finding: NetworkFinding) -> NetworkReport.Finding {
        switch finding {
        case .ownAdvertisementSeen:
            make(.multicast, .ok, Sentence.Doctor.announced)
        case .ownAdvertisementNotSeen:
            make(.multicast, .problem, Sentence.Doctor.notAnnounced)
        case .othersSeen(let count):
            make(.announcements, .ok, Sentence.Doctor.others(count))
        case .nothingSeen:
            make(.announcements, .note, Sentence.Doctor.noOthers)
        default: make(.multicast, .skipped, Sentence.Doctor.announcementUnknown)
        }
    }

    private static func multicast(_ finding: NetworkFinding) -> NetworkReport.Finding {
        switch finding {
        case .multicastAnswered: make(.multicast, .ok, Sentence.Doctor.multicastWorks)
        case .multicastBlocked(let peer):
            make(.multicast, .problem, Sentence.Doctor.multicastBlocked(peer.description))
        case .isolatedOrOffline: make(.reachable, .problem, Sentence.Doctor.isolated)
        case .multicastNotAsked:
            make(.multicast, .skipped, Sentence.Doctor.multicastNotAsked)
        default: make(.multicast, .note, Sentence.Doctor.multicastUnknown)
        }
    }

    private static func peer(_ finding: NetworkFinding) -> NetworkReport.Finding {
        switch finding {
        case .peerReachable(let peer):
            make(.reachable, .ok, Sentence.Doctor.reachable(peer.description))
        case .peerRefuses(let peer):
            make(.reachable, .note, Sentence.Doctor.refuses(peer.description))
        case .peerNameUnknown(let peer):
            make(.reachable, .note, Sentence.Doctor.nameUnknown(peer.description))
        case .peerSilent(let peer), .peerUnreachable(let peer):
            make(.reachable, .note, Sentence.Doctor.silent(peer.description))
        default: make(.reachable, .skipped, Sentence.Doctor.notChecked)
        }
    }

    private static func make(
        _ check: NetworkReport.Check, _ level: NetworkReport.Level,
        _ words: Sentence.Doctor.Words
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
