extension Membership {
    /// Whether a device was given authority: what it writes then wins over what others write. The
    /// founder's own grant has it only to pass it on.
    package func hasAuthority(_ device: DeviceID) -> Bool {
        standings.values.contains { standing in
            standing.card.device == device && standing.parent != nil && !standing.current.isEmpty
                && standing.precedence >= Precedence.authority.rawValue
        }
    }

    /// Whether a device may pass authority on, to others or to itself.
    package func canGiveAuthority(_ device: DeviceID) -> Bool {
        guard let grant = writingGrant(of: device), let standing = standings[grant] else {
            return false
        }
        return standing.precedence >= Precedence.authority.rawValue
    }

    /// The precedence of what a device writes now.
    package func precedence(of device: DeviceID) -> UInt32 {
        writingGrant(of: device).map { precedence(of: device, under: $0) } ?? 0
    }

    /// The precedence of what a device writes under a grant.
    package func precedence(of device: DeviceID, under grant: FactReference) -> UInt32 {
        let allowed = standings[grant]?.precedence ?? 0
        return min(
            hasAuthority(device) ? Precedence.authority.rawValue : Precedence.user.rawValue, allowed
        )
    }
}
