import Identity
import SyncCore
internal import Synchronization

/// Ed25519 that remembers valid signatures: many replicas verify the same ones, in both runs of a
/// seed.
final class KnownSignatures: SignatureVerifying {
    private struct Check: Hashable {
        let signature: [UInt8]
        let message: [UInt8]
        let key: Bytes32

        static func == (left: Check, right: Check) -> Bool {
            left.key == right.key && left.signature == right.signature
                && left.message == right.message
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(signature)
            hasher.combine(key)
        }
    }

    private let real = Ed25519Verifier()
    private let known = Mutex<[Check: Bool]>([:])

    func isValid(signature: [UInt8], over message: [UInt8], by key: Bytes32) -> Bool {
        let check = Check(signature: signature, message: message, key: key)
        if let answer = known.withLock({ $0[check] }) { return answer }
        let answer = real.isValid(signature: signature, over: message, by: key)
        known.withLock { $0[check] = answer }
        return answer
    }
}
