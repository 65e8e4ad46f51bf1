import Device
import LocalAPI
import Networking
import Node
import Records
import Status
internal import Store
import SyncCore

/// Gives a person access to their spaces again, by their recovery key.
struct RecoveryService: Sendable {
    let runtime: AgentRuntime

    private var node: AgentNode { runtime.node }

    func use(_ text: String) async throws -> RecoveryUseView {
        let key = try KeyExchangeService(node).own(text)
        let sync = runtime.sync
        _ = try await sync.now()
        let open = runtime.sessions.open
        let connected = open.connected.keys.sorted()
        let asked = try connected.filter { try node.store.devices.device($0)?.isPaired == true }
        guard !asked.isEmpty else {
            throw APIError(
                code: .notFound,
                sentence: "No device of anybody who may share a trip with you is connected.",
                hint: "Pair with one first: 'peersync pair' there, 'peersync join' here.")
        }
        let found = await node.nodeLoop.regain(with: key, for: node)
        if !found.isEmpty {
            let spaces = found.map(\.offer.space)
            _ = try await node.loop.turns.first(within: .seconds(Limits.recoverySeconds)) {
                [node] _ in
                spaces.allSatisfy { node.permissions(in: $0).contains(.read) } ? true : nil
            }
            _ = try await sync.now()
        }
        return RecoveryUseView(
            person: node.reference(node.identity.person),
            asked: asked.map { node.reference($0) },
            strangers: connected.filter { !asked.contains($0) }.map { node.reference($0) },
            trips: found.map { recovered in
                RecoveredTrip(
                    trip: Reference(
                        recovered.offer.space, name: ShownText.line(recovered.offer.title)),
                    role: LocalAPI.Role(recovered.offer.flags),
                    from: node.reference(recovered.from),
                    isHere: node.permissions(in: recovered.offer.space).contains(.read))
            })
    }
}
