package import Identity
internal import Store
package import SyncCore
internal import Wire

/// Says of devices of a person that they are lost, or were found, as a device of that person or by its key.
package struct LossSaying: Sendable {
    private let work: EngineWork
    /// Nil: this device says it.
    private let key: PersonKey?
    private let person: PersonID
    private let personKey: Bytes32

    /// Nil when neither this device nor the key is of the person.
    package init?(_ work: EngineWork, about person: PersonID, signedBy key: PersonKey? = nil) {
        let own = work.card()?.links.first?.content
        if let key, key.person == person {
            (self.key, personKey) = (key, key.firstKey)
        } else if let own, own.person == person {
            (self.key, personKey) = (nil, own.personKey)
        } else {
            return nil
        }
        (self.work, self.person) = (work, person)
    }

    private var signer: DeviceID? { key == nil ? work.device : nil }

    /// The devices that came in through another one alone, and are lost with it unless they are kept. This
    /// device is none of them. Throws what the store throws.
    package func letIn(by device: DeviceID) throws -> Set<DeviceID> {
        try judged([]).through(device).subtracting([work.device])
    }

    /// Says that a device is lost, in place of what the same signer said of it before. Returns what is to be told;
    /// nothing when it would not count, because the device is senior to who says it. A preview is not kept. Throws
    /// what the store throws.
    package func lost(
        _ card: Card, keeping: Set<DeviceID>, isPreview: Bool = false
    ) throws -> [UnverifiedLossStatement] {
        let device = card.device
        let known = try judged([])
        let ids = known.said(by: signer, about: device)
        let before = try work.losses.statements(about: [person]).filter { ids.contains($0.id) }
        let kept = before.reduce(into: keeping) { $0.formUnion($1.said.kept) }
        let keeps = known.through(device).intersection(kept.union([work.device])).sorted()
        if before.count == 1, Set(before[0].said.kept) == Set(keeps) { return before }
        var said: [UnverifiedLossStatement] = []
        if !ids.isEmpty { said.append(try statement(.found(ids), about: nil)) }
        let chain = try CardCodec().decode(card.encoded)
        said.append(
            try statement(
                .lost(
                    device, upholds: [],
                    keeps: Array(keeps.prefix(Limits.lossNames))), about: chain))
        guard try judged(said).isLost(device) else { return [] }
        return isPreview ? said : try work.losses.keep(said, now: work.clock.wall)
    }

    /// Takes back what was said of a device that is not lost any more. Returns what is to be told; nothing when
    /// others would have to take it back. Throws what the store throws.
    package func found(_ device: DeviceID) throws -> [UnverifiedLossStatement] {
        guard let ids = try judged([]).toTakeBack(for: device, by: signer) else { return [] }
        let said = try stride(from: 0, to: ids.count, by: Limits.lossNames).map { first in
            try statement(
                .found(Array(ids[first...].prefix(Limits.lossNames))), about: nil)
        }
        guard try !judged(said).isLost(device) else { return [] }
        return try work.losses.keep(said, now: work.clock.wall)
    }

    /// That the key was exchanged, as this device says it.
    func statement(of exchange: UnverifiedKeyExchange) throws -> UnverifiedLossStatement {
        try statement(.exchanged(exchange), about: nil)
    }

    private func judged(_ more: [UnverifiedLossStatement]) throws -> LostDevices {
        try work.losses.judged(person, with: more)
    }

    private func statement(
        _ subject: LossStatement.Subject, about subjectCard: UnverifiedCard?
    ) throws -> UnverifiedLossStatement {
        var random = work.random
        let said = LossStatement(
            personKey: personKey, key: key?.exchangedKey, signer: signer,
            nonce: Bytes16(random: &random),
            subject: subject)
        let bytes = LossStatementCodec().encode(said)
        let own = key == nil ? work.card() : nil
        return UnverifiedLossStatement(
            said, bytes: bytes,
            signature: key?.sign(.lossStatement, bytes) ?? work.keys.sign(.lossStatement, bytes),
            cards: [own, subjectCard].compactMap(\.self))
    }
}
