package import SyncCore

/// A statement whose signature holds, with the signed bytes, to be relayed unchanged.
package struct SignedStatement<Said: DeviceStatement>: Hashable, Sendable {
    package let unverified: UnverifiedStatement<Said>

    package var said: Said { unverified.said }

    /// For the code that has verified the signature, and for nobody else.
    package init(verified statement: UnverifiedStatement<Said>) { unverified = statement }
}

package typealias SignedAck = SignedStatement<Ack>
package typealias SignedHoldings = SignedStatement<Holdings>
