import Encryption
import Identity
import Journal
import Node
import Records
import Store
import SyncCore
internal import TestKit
import VirtualDisk
import Wire

/// A store and the parts that work on it, as an agent opens them at its start.
struct OpenedAgent {
    let epochKeys = EpochKeyRing()
    let store: SyncStore
    let work: EngineWork

    init(
        _ member: Member, on disk: VirtualDisk, _ schemas: KnownSchemas, clock: ReplicaClock,
        random: SharedRandom, _ signatures: KnownSignatures, isNamed: Bool = false,
        batchBytes: Int = Limits.commitBatchBytes
    ) throws {
        epochKeys.use(member.device, agreementSecret: member.keys.agreementSecret)
        var generator = SeededGenerator(seed: random.next())
        store = try SyncStore(
            holding: disk.place(), decoder: CommitCodec(epochKeys: epochKeys),
            verifier: CommitVerifier(signatures: signatures), random: &generator,
            schemas: schemas.schema)
        let (chain, card, journal) = (member.chain, member.card, schemas.shelf.builtInSchema)
        work = EngineWork(
            store: store, keys: member.keys, epochKeys: epochKeys,
            journal: SchemaPin(schema: journal.id, version: journal.version),
            clock: try DeviceClock(of: member.device, in: store) { clock.wall },
            memory: WorkMemory(store, signatures: signatures), batchBytes: batchBytes,
            signatures: signatures,
            names: { short($0) },
            profile: { space in
                guard isNamed else { return [] }
                return [
                    .profile(of: card.person, named: short(card.person), in: space),
                    .profile(
                        of: card.device, named: short(card.device), whose: card.person, in: space),
                ]
            },
            card: { chain }, random: { random.next() })
    }
}
