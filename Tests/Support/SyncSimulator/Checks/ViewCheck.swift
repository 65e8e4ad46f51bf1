import SyncCore

/// In the end each engine goes by what its store has: what it tells its peers of a space, and asks them for.
struct ViewCheck {
    let world: World

    func run() {
        for replica in world.replicas where replica.isUp && replica.loop.inbox.isEmpty {
            for space in world.observer.spaces {
                guard let view = replica.loop.engine.spaces[space],
                    let ledger = replica.ledger(of: space)
                else { continue }
                if view.watermark != ledger.watermark || view.forks != ledger.forks {
                    world.report.fail(
                        "view",
                        "\(replica.index) has other logs of \(short(space)) than it goes by")
                }
            }
        }
    }
}
