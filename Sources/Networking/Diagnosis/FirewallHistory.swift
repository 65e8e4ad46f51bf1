package import Discovery
package import Records

/// What was seen of the firewall, and whether somebody has connected to this device since. Pure.
///
/// An ordinary user cannot read the rules, and somebody who connects proves more than they say.
package struct FirewallHistory: Sendable {
    private let port: UInt16
    private var view: FirewallView?
    private var unchangedSince: UInt64 = 0
    private var reachedAt: UInt64?
    /// Under which firewall somebody has connected to this device before, as ``wasReached(at:)`` said.
    private var remembered: String?

    /// `port` is the TCP port that this device listens on.
    package init(port: UInt16, remembered: String? = nil) {
        (self.port, self.remembered) = (port, remembered)
    }

    /// The firewall was looked at.
    package mutating func saw(_ view: FirewallView, at now: UInt64) {
        if view != self.view { unchangedSince = now }
        self.view = view
    }

    /// Another machine has connected to this one. What is to be remembered after the agent has ended,
    /// when that is new.
    package mutating func wasReached(at now: UInt64) -> String? {
        reachedAt = now
        guard let mark, mark != remembered else { return nil }
        remembered = mark
        return mark
    }

    /// What is in the way, or may be.
    package var obstacle: FirewallObstacle? {
        view.flatMap { FirewallObstacle($0, port: port, isReached: isReached) }
    }

    private var isReached: Bool {
        if let reachedAt, reachedAt >= unchangedSince { return true }
        return mark != nil && mark == remembered
    }

    /// What a firewall whose rules cannot be read looks like; nil for others, whose rules speak for
    /// themselves.
    private var mark: String? {
        guard let view, case .possible(let program) = view.sessions else { return nil }
        let name =
            switch program {
            case .ufw: "ufw"
            case .firewalld: "firewalld"
            case .iptables, .nftables, .nftablesFile: "nftables"
            }
        return "\(port) \(name) \(view.revision)"
    }
}
