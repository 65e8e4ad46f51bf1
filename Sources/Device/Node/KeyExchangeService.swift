package import Identity
package import LocalAPI
internal import Node
internal import Records
internal import Store
internal import SyncCore

/// Exchanges the recovery key of this person for another one.
package struct KeyExchangeService: Sendable {
    private let node: AgentNode

    package init(_ node: AgentNode) { self.node = node }

    /// The key that follows a given one, as text. Throws ``APIError`` if the text is not a key, or
    /// there may be no further key.
    package static func successor(of text: String) throws -> String {
        guard let next = try PersonKey(typed: text).successor() else {
            throw APIError(
                code: .conflict,
                sentence: "A recovery key can be exchanged 8 times, and this is the last one.",
                hint: "To start again as a new person: peersync init on another device.")
        }
        return next.recoveryText
    }

    /// Throws ``APIError`` if the text is not a key, or the key is not this person's or was
    /// exchanged before.
    package func own(_ text: String) throws -> PersonKey {
        guard try PersonKey(typed: text).person == node.identity.person else {
            throw APIError.recoveryKeyOfAnother
        }
        return try PersonKey(typed: text, currentBy: node.work)
    }

    /// The person to whom the recovery key in a text belongs.
    package func test(_ text: String) throws -> RecoveryKeyView {
        let key = try PersonKey(typed: text)
        let isMine = key.person == node.identity.person
        let isKnown = isMine || KnownPeople(node).isKnown(key.person)
        return RecoveryKeyView(
            person: isKnown ? node.reference(key.person) : nil, me: isMine,
            exchanged: try isMine && !KeyExchanging(node.work).isCurrent(key))
    }

    package func exchange(_ draft: KeyExchangeDraft) async throws -> KeyExchangeView {
        let old = try own(draft.recoveryKey)
        let new = try PersonKey(typed: draft.newRecoveryKey)
        guard new.person == old.person, new.successions.dropLast() == old.successions[...],
            new.successions.count == old.successions.count + 1
        else {
            throw APIError(
                code: .badInput, sentence: "The new recovery key does not follow from the old one.",
                hint: "To get one: peersync recovery exchange")
        }
        let exchanging = KeyExchanging(node.work)
        let found = try (draft.found ?? []).map { try LostDeviceService(node).find($0).device }
        let plan = try exchanging.plan(old, for: new, found: Set(found))
        guard hasShared(plan.spaces) || !hasShared(plan.others) else {
            throw APIError(
                code: .notAllowed,
                sentence: """
                    This device came into your trips by the recovery key alone: the same could be said of a thief's.
                    """,
                hint: """
                    Exchange it on another device of yours, or ask an admin of a trip first: peersync trip grant \
                    TRIP, with the name of this device.
                    """)
        }
        let isDone = draft.preview != true
        if isDone {
            node.handle(.lossSaid(try exchanging.say(plan, old, new)))
            try await node.carryOut { try KeyExchanging($0).write() }
        }
        return KeyExchangeView(
            done: isDone, trips: try references(plan.spaces),
            elsewhere: try references(plan.others),
            putOut: plan.putOut.map { node.reference($0) },
            stayLost: plan.stayLost.map { node.reference($0) }, leftOut: plan.leftOut)
    }

    private func hasShared(_ spaces: [SpaceID]) -> Bool {
        spaces.contains { node.store.ledger(of: $0)?.role == .shared }
    }

    private func references(_ spaces: [SpaceID]) throws -> [Reference] {
        try SpaceDirectory(node).readable(.withDeleted).filter { spaces.contains($0.id) }
            .compactMap(\.sharedReference)
    }
}
