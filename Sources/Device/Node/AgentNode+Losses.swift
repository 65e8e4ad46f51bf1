internal import Identity
import Node
package import Records
internal import SyncCore

extension AgentNode {
    package var losses: any LossKeeping { NodeLosses(node: self) }
}

/// The devices that this one knows to be lost.
private struct NodeLosses: LossKeeping {
    let node: AgentNode

    func lostDevices() throws -> Set<DeviceID> { try node.work.losses.lostDevices() }

    func loss(of device: DeviceID) throws -> KnownLoss? {
        try node.work.losses.loss(of: device)
    }

    func keyRivals() throws -> Set<DeviceID> {
        try node.work.losses.all()[node.identity.person]?.lost.keyRivals ?? []
    }

    func letIn(by device: DeviceID, of person: PersonID) throws -> Set<DeviceID> {
        try LossSaying(node.work, about: person)?.letIn(by: device) ?? []
    }

    func call(
        lost card: Card, keeping: Set<DeviceID>, byKey text: String?, isPreview: Bool
    ) throws -> Bool {
        let saying = LossSaying(
            node.work, about: card.person, signedBy: try text.map { try PersonKey(typed: $0) })
        let said =
            try saying?.lost(card, keeping: keeping, isPreview: isPreview) ?? []
        if !said.isEmpty, !isPreview { node.handle(.lossSaid(said)) }
        return !said.isEmpty
    }

    func call(
        found device: DeviceID, of person: PersonID, byKey text: String?
    ) throws -> Bool {
        let saying = LossSaying(
            node.work, about: person, signedBy: try text.map { try PersonKey(typed: $0) })
        let said = try saying?.found(device) ?? []
        if !said.isEmpty { node.handle(.lossSaid(said)) }
        return !said.isEmpty
    }
}
