import SyncCore

/// Writing that any of several devices may do, each in its turn.
enum SharedWriting: CaseIterable {
    /// Rights are taken from lost devices.
    case lostRights
    /// An exchange of the recovery key is written down.
    case exchangedKeys
    /// It is said again that somebody left.
    case leaves

    var duty: Node.Duty {
        switch self {
        case .lostRights: .lostRights
        case .exchangedKeys: .exchangedKeys
        case .leaves: .leaves
        }
    }

    /// Whether somebody could do harm while it waits: a member of one trip must not delay it in another.
    var isUrgent: Bool { self != .leaves }

    var failure: String {
        switch self {
        case .lostRights: "lost devices not read"
        case .exchangedKeys: "exchanges of keys not read"
        case .leaves: "leaves not read"
        }
    }

    /// How long this device waits with it; nil when there is nothing for it to write.
    func seconds(_ work: EngineWork) throws -> Int? {
        switch self {
        case .lostRights: try work.devices.secondsUntilTaking()
        case .exchangedKeys: try KeyExchanging(work).secondsUntilWriting()
        case .leaves: LeaveRepeating(work).secondsUntilWriting()
        }
    }
}

extension Node.Duty {
    /// Does it. Throws what the store throws.
    package func done(by work: EngineWork) throws -> EngineWork.Done {
        switch self {
        case .siblings: try work.devices.giveSiblings()
        case .lostRights: try work.devices.revokeFromLost()
        case .exchangedKeys: try KeyExchanging(work).write()
        case .leaves: LeaveRepeating(work).write()
        case .keys(let space): try work.epochs.keep(in: space)
        case .statements(let statements, let device): work.devices.carry(statements, for: device)
        case .profile(let space): try ProfileWriting(work).write(in: space)
        case .offer(let space, let offer, let device):
            try work.offers.replace(by: offer, of: space, from: device)
        }
    }
}
