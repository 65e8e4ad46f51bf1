import Device
import Discovery
internal import Identity
import Node
package import SyncCore

/// The instances heard to announce a nameplate.
package struct Announcers: Equatable, Sendable {
    /// In the order of their names, which says nothing about who is honest.
    package let instances: [DiscoveredInstance]
    /// Nobody can be heard: Avahi is missing here.
    package let isDeaf: Bool

    package init(instances: [DiscoveredInstance], isDeaf: Bool) {
        (self.instances, self.isDeaf) = (instances, isDeaf)
    }
}

/// Nameplates of pairing codes on the network: ours, and those of others.
extension NetworkService {
    /// Announces a nameplate under which nobody else is heard, and returns it once others have had
    /// the time to object. `previous` is not used again: typing the earlier code must not burn
    /// the next one. Throws `CancellationError`.
    ///
    /// A device that has shown no code yet gives way, so that two that begin at the same moment do not
    /// keep the same one. Somebody who announces all of them only costs this a few seconds.
    func claimNameplate(previous: String?) async throws -> String {
        let untilHeard = startedAt + Limits.nameplateMilliseconds
        let now = dependencies.clock.now.monotonic
        if now < untilHeard {
            // Just switched on: what others announce has not all been heard.
            let left = Duration.milliseconds(Int(untilHeard - now))
            _ = try await waits(left) { self.outage != nil }
        }
        var random = SystemRandomNumberGenerator()
        var nameplate = ""
        for _ in 0..<Limits.nameplateClaims {
            let taken = plan.nameplates.union(previous.map { [$0] } ?? [])
            nameplate = PairingCode.nameplate(random: &random, except: taken)
            await setNameplate(nameplate)
            guard outage == nil else { break }
            let window = Duration.milliseconds(Int(Limits.nameplateMilliseconds))
            let claimed = nameplate
            guard try await waits(window, until: { self.plan.nameplates.contains(claimed) })
            else { break }
        }
        return nameplate
    }

    /// The instances that announce this nameplate, once they differ from `known`. Throws
    /// `CancellationError`.
    func announcers(
        of nameplate: String, otherThan known: Announcers?
    ) async throws -> Announcers {
        while true {
            let seen = changes.value
            let heard = Announcers(
                instances: plan.announcers(of: nameplate), isDeaf: outage != nil)
            guard heard == known else { return heard }
            _ = try await changes.first(within: .seconds(Limits.findHostSeconds)) {
                $0 == seen ? nil : true
            }
        }
    }

    /// Waits until something about the network is so; false when it is not in this time.
    func waits(_ limit: Duration, until isSo: () -> Bool) async throws -> Bool {
        let giveUp = ContinuousClock.now + limit
        while true {
            let seen = changes.value
            if isSo() { return true }
            let left = ContinuousClock.now.duration(to: giveUp)
            guard left > .zero else { return false }
            _ = try await changes.first(within: left) { $0 == seen ? nil : true }
        }
    }
}

extension Limits {
    /// Milliseconds in which an announcement reaches others, and theirs this device, by multicast
    /// DNS: a code is shown after that.
    package static let nameplateMilliseconds: UInt64 = 1_200
    /// Nameplates tried before one is kept that somebody else announces as well: the joining device
    /// copes with that.
    package static let nameplateClaims = 3
}
