internal import Crypto

/// What a hash or a signature is over: each kind of signed or hashed thing has its own label, so
/// that bytes made for one purpose never count for another.
package enum Label: String, CaseIterable, Sendable {
    case commit = "peersync commit v1"
    case clearPart = "peersync clear part v1"
    case operationsPart = "peersync operations part v1"
    case sealedOperations = "peersync sealed operations v1"
    case encryptedFile = "peersync encrypted file v1"
    case card = "peersync card v1"
    case endorsement = "peersync endorsement v1"
    case personStatement = "peersync person statement v1"
    case keyExchange = "peersync key exchange v1"
    case keySuccession = "peersync key succession v1"
    case recovery = "peersync recovery v1"
    case lossStatement = "peersync loss statement v1"
    case acknowledgement = "peersync ack v1"
    case holdings = "peersync holdings v1"
    case blob = "peersync blob v1"
    case spaceDigest = "peersync space digest v1"
    case spaceProof = "peersync space proof v1"
    case shownDigest = "peersync shown digest v1"
    case comparison = "peersync comparison v1"
    case statements = "peersync statements v1"
    case schema = "peersync schema v1"
    case recordMark = "peersync record mark v1"
    case derivedRecord = "peersync derived record v1"
    case movedRecord = "peersync moved record v1"
    case conflict = "peersync conflict v1"
    case dataSetValue = "peersync data set value v1"
    case pairing = "peersync pairing v1"

    /// `label ‖ 0 ‖ message`, the bytes that are signed or hashed.
    package func framing(_ message: some Collection<UInt8>) -> [UInt8] {
        var framed: [UInt8] = []
        framed.reserveCapacity(rawValue.utf8.count + 1 + message.count)
        framed.append(contentsOf: rawValue.utf8)
        framed.append(0)
        framed.append(contentsOf: message)
        return framed
    }

    /// SHA-256 of ``framing(_:)``.
    package func hash(_ message: some Collection<UInt8>) -> Bytes32 {
        sha256(framing(message))
    }
}

/// SHA-256 of plain bytes.
package func sha256(_ bytes: [UInt8]) -> Bytes32 {
    guard let digest = Bytes32(Array(SHA256.hash(data: bytes))) else {
        preconditionFailure("SHA-256 gives 32 bytes")
    }
    return digest
}
