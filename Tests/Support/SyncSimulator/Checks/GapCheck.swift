import Records
import SyncCore

struct GapCheck {
    let world: World

    /// No replica reports that an honest device withholds something.
    func run() {
        for replica in world.replicas where replica.isUp && replica.isHonest {
            for (number, place) in replica.connections.sessions.sorted(by: { $0.key < $1.key }) {
                guard let link = world.network.links[place.link] else { continue }
                let other = world.replicas[link.ends[1 - place.end].replica]
                let gap = replica.loop.engine.gap(
                    on: SessionID(number), at: replica.clock.instant)
                if other.isHonest, gap > Limits.gapMilliseconds {
                    world.report.fail(
                        "peace",
                        "\(replica.index) says that \(other.index) left something out \(gap) ms ago"
                    )
                }
            }
        }
    }
}
