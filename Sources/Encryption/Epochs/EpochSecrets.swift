package import SyncCore

/// The secrets that this device has of the epochs of one space.
package struct EpochSecrets: Sendable {
    /// By epoch.
    package var identities: [CommitID: AgeIdentity] = [:]

    package init() {}

    /// The epoch to write under, of those that allow it and that no lost device knows.
    package func writing(
        in membership: Membership, avoiding lost: Set<DeviceID>
    ) -> (epoch: CommitID, secret: AgeIdentity)? {
        let epoch = membership.writingEpoch(avoiding: lost) { identities[$0] != nil }
        return epoch.flatMap { epoch in identities[epoch].map { (epoch, $0) } }
    }
}

/// Secrets of epochs, wrapped for other devices.
package enum WrappedSecrets {
    /// An age file with these secrets, in this order, for the device with this agreement key. Throws
    /// `AgeError.malformedKey` for a key of low order, whose files everybody could open.
    package static func wrap(
        _ secrets: [AgeIdentity], for agreementKey: Bytes32,
        using random: inout some RandomNumberGenerator
    ) throws -> [UInt8] {
        let writer = try AgeWriter(
            recipients: [AgeRecipient(publicKey: agreementKey.bytes)],
            secrets: .random(recipients: 1, using: &random))
        return writer.file(secrets.flatMap(\.privateKey))
    }

    /// The secrets in an age file for this device; none when it does not open, or holds more than `count`.
    static func unwrap(
        _ file: [UInt8], with identity: AgeIdentity, atMost count: Int
    ) -> [AgeIdentity] {
        guard
            let reader = try? AgeReader(
                MemoryInput(file), identities: [identity], stanzasAtMost: 1),
            let plain = try? reader.plaintext(), plain.length <= UInt64(count) * 32,
            let bytes = try? plain.read(0..<plain.length), bytes.count.isMultiple(of: 32)
        else { return [] }
        return stride(from: 0, to: bytes.count, by: 32).compactMap {
            try? AgeIdentity(privateKey: Array(bytes[$0..<$0 + 32]))
        }
    }
}
