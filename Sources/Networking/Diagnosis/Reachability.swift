import Device
package import Discovery
internal import Logging
package import Records
import Store
import SyncCore

/// Whether others can find this device and connect to it, and what of this machine is in the way. It
/// looks only when it is asked: an idle agent spends nothing on it.
package actor Reachability {
    /// What outlives the agent: under which firewall somebody has connected to this device.
    struct Memory: Sendable {
        var read: @Sendable () -> String? = { nil }
        var write: @Sendable (String) -> Void = { _ in }
    }

    private let clock: AgentClock
    private let memory: Memory
    private var port: UInt16 = 0
    private var firewall = FirewallHistory(port: 0)
    private var conflict: PortConflict?
    private var lookedAt: UInt64?

    init(_ clock: AgentClock, _ memory: Memory) {
        (self.clock, self.memory) = (clock, memory)
    }

    /// The agent listens on a port from now on, in place of the one that it wanted.
    func listens(on port: UInt16, wanted: UInt16) async {
        self.port = port
        firewall = FirewallHistory(port: port, remembered: memory.read())
        conflict =
            wanted == port
            ? nil : PortConflict(wanted: wanted, used: port, holder: PortOwner.holder(of: wanted))
        lookedAt = nil
        // The first look, before anybody connects: a connection shows that the port is open.
        await look()
    }

    /// Another machine has connected to this one.
    func wasReached(from host: String) {
        guard !NetworkAddress.isOwn(host) else { return }
        guard let mark = firewall.wasReached(at: clock.now.monotonic) else { return }
        memory.write(mark)
    }

    /// The rules may be others in another network.
    func networkChanged() { lookedAt = nil }

    /// Adds what is in the way now.
    package func tell(_ here: inout HereFacts, _ outage: DiscoveryOutage?) async {
        await look()
        here.firewall = firewall.obstacle
        here.port = conflict
        if let wanted = conflict?.wanted, !PortOwner.isTaken(wanted) { here.port?.holder = .none }
        guard outage != nil || here.firewall != nil else { return }
        let machine = MachineFacts()
        here.administration = machine.administration
        here.discovery = outage.map { DiscoveryFault($0, machine) }
    }

    /// What to type for devices to be found by themselves.
    static func remedy(_ outage: DiscoveryOutage) -> String {
        let machine = MachineFacts()
        return DiscoveryFault(outage, machine).remedy(machine.administration)
    }

    private func look() async {
        let now = clock.now.monotonic
        if let lookedAt, FirewallFacts.mayReadRules,
            now < lookedAt + Limits.firewallLookMilliseconds
        {
            return
        }
        lookedAt = now
        firewall.saw(await FirewallFacts.current().view(of: port), at: now)
    }
}

extension AgentNode {
    /// In the settings of this device.
    var reachMemory: Reachability.Memory {
        let key = "reached"
        return Reachability.Memory(
            read: { [self] in
                reading("setting not read", or: nil) { try store.settings.value(of: key) }
            },
            write: { [self] mark in
                do {
                    try store.settings.set(key, to: mark, isPassing: true)
                } catch {
                    storage.notWritten("setting not kept", error)
                }
            })
    }
}

extension NetworkAddress {
    /// Whether an address is one of this machine.
    static func isOwn(_ host: String) -> Bool {
        host == "::1" || host.hasPrefix("127.") || current().contains { $0.address == host }
    }
}

extension Limits {
    /// Milliseconds for which the firewall's rules are not read again: it takes a process, and
    /// somebody may watch the status.
    static let firewallLookMilliseconds: UInt64 = 10_000
}
