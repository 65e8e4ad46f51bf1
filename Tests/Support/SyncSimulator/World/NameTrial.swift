import Node
import Records
import Store
import SyncCore

/// Names that devices write into the spaces that they join.
struct NameTrial {
    let world: World

    func isNamed(_ replica: Replica, in space: SpaceID) -> Bool {
        do {
            let key = RecordKey.profile(of: replica.device, in: space)
            return try replica.store?.records.record(key, of: space) != nil
        } catch {
            return false
        }
    }

    /// Every device that may write in a space has a name there.
    func unfinished(in space: SpaceID, _ group: [Replica], _ ledger: SpaceLedger) -> [String] {
        // Another check covers whether there is a key to write under.
        guard world.schedule.isNamed, !ledger.membership.isToBeSealed else { return [] }
        return group.filter(\.isHonest).compactMap { replica in
            do {
                let lacks = try replica.work.map { try ProfileWriting($0).isLacking(in: space) }
                return lacks == true ? "\(replica.index) has no name in \(short(space))" : nil
            } catch {
                return "a store does not answer: \(error)"
            }
        }
    }
}
