package import Discovery
package import Records

/// What keeps others from finding this device or connecting to it, by what was seen. Pure.
extension DiscoveryFault {
    /// Why discovery does not work, as it says itself and as the machine shows.
    package init(_ outage: DiscoveryOutage, _ machine: MachineFacts) {
        let hasBus = machine.hasBus ?? (outage != .noDBus)
        if hasBus, case .failed(_, let message) = outage {
            self = .avahiFails(message)
        } else if !hasBus || outage == .noDBus {
            // A bus whose socket is there and which does not answer is as good as none.
            self = hasBus || machine.hasBusDaemon ? .busStopped : .busNotInstalled
        } else if !machine.hasAvahi {
            self = .avahiNotInstalled
        } else {
            self = machine.isAvahiMasked ? .avahiMasked : .avahiStopped
        }
    }
}

extension FirewallObstacle {
    /// Nil when nothing is known to be in the way, and when `isReached`: somebody has connected to this
    /// device since the firewall was last seen to change, so whatever its rules look like, they let
    /// sessions in.
    package init?(_ view: FirewallView, port: UInt16, isReached: Bool) {
        let (sessions, discovery) = (view.sessions, view.discovery)
        var closed: [Port] = []
        var program: FirewallProgram?
        if case .closed(let by) = discovery { (closed, program) = ([.multicastDNS], by) }
        if case .closed(let by) = sessions, !isReached {
            (closed, program) = ([.sessions(port)] + closed, by)
        }
        if let program {
            self.init(Program(program), closed, isCertain: true)
        } else if case .possible(let by) = sessions, !isReached {
            var possible: [Port] = [.sessions(port)]
            if case .possible = discovery { possible.append(.multicastDNS) }
            self.init(Program(by), possible, isCertain: false)
        } else {
            return nil
        }
    }
}

extension FirewallObstacle.Program {
    package init(_ program: FirewallProgram) {
        self =
            switch program {
            case .ufw(let hasProfile): .ufw(hasProfile: hasProfile)
            case .firewalld(let hasService): .firewalld(hasService: hasService)
            case .iptables: .iptables
            case .nftables(let chain): .nftables(chain: chain)
            case .nftablesFile(let chain): .nftablesFile(chain: chain)
            }
    }
}

extension FirewallObstacle.Port {
    init(_ port: FirewallPort) {
        self =
            switch port {
            case .multicastDNS: .multicastDNS
            case .sessions(let number): .sessions(number)
            }
    }
}

extension PortConflict.Holder {
    /// Who listens: `user` nil for a user who cannot be told, `programs` those of that user that may
    /// be the one, exactly one when it was seen.
    package init(isOwn: Bool, user: String?, programs: [String]) {
        let isPeersync = programs.contains("peersync")
        if isOwn {
            self =
                isPeersync
                ? .peersync(user: nil) : programs.count == 1 ? .program(programs[0]) : .unknown
        } else if let user {
            self = isPeersync ? .peersync(user: user) : .user(user)
        } else {
            self = .unknown
        }
    }
}
