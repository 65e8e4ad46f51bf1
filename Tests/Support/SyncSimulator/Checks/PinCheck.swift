import Store
import SyncCore

/// Every replica follows the schema of the effective commits: the highest version, and of equal
/// ones that of the greatest commit id.
struct PinCheck {
    let world: World

    func run(in space: SpaceID, _ log: EffectiveLog, _ group: [Replica]) {
        let pins = log.entries.compactMap { entry -> (commit: CommitID, pin: SchemaPin)? in
            (entry.clear.genesis?.schema ?? entry.clear.schema).map { (entry.commit.id, $0) }
        }
        let followed = pins.max { one, other in
            (one.pin.version, one.commit) < (other.pin.version, other.commit)
        }
        for replica in group {
            guard let ledger = replica.ledger(of: space) else { continue }
            if ledger.schema != followed?.pin {
                world.report.fail(
                    "pins",
                    "\(replica.index) follows version \(ledger.schema.version) in "
                        + "\(short(space)), not \(followed?.pin.version ?? 0)")
            }
            if replica.store?.spaces.schema(of: space)?.id != ledger.schema.schema {
                world.report.fail(
                    "pins", "\(replica.index) cannot read the schema of \(short(space))")
            }
        }
    }
}
