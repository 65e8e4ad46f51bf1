internal import SyncCore

/// Why a text is no recovery key; the group numbers are those a person counts, from 1.
package enum RecoveryKeyError: Error, Hashable {
    /// It does not start as recovery keys do and is not as long as one.
    case notARecoveryKey
    /// Made by a newer peersync.
    case unsupportedVersion(Character)
    /// Complete groups expected and characters found after the prefix.
    case wrongLength(groups: Int, charactersFound: Int)
    case unexpectedCharacter(Character, group: Int)
    /// The check character at the end of this group does not fit.
    case mistypedGroup(Int)
    /// Every group fits alone, but not all together: groups exchanged, or of two keys.
    case checksumMismatch
}

/// What a recovery key says.
struct RecoveryKeyContent {
    let secret: Bytes32
    /// The person's first key; nil where this is it.
    let firstKey: Bytes32?
    /// Of each key after the first one by the key before, and the keys but the last, which is the secret's.
    private let signatures: [[UInt8]]
    private let keys: [Bytes32]

    init(secret: Bytes32, firstKey: Bytes32?, _ successions: [KeySuccession]) {
        (self.secret, self.firstKey) = (secret, firstKey)
        (signatures, keys) = (successions.map(\.signature), successions.dropLast().map(\.key))
    }

    /// `payload`: 32 bytes, or 128 and 96 more for each further key.
    fileprivate init?(_ payload: [UInt8]) {
        guard let secret = Bytes32(payload.prefix(32)) else { return nil }
        self.secret = secret
        var rest = payload.dropFirst(32)
        firstKey = Bytes32(rest.prefix(32))
        rest = rest.dropFirst(32)
        var (signatures, keys): ([[UInt8]], [Bytes32]) = ([], [])
        while !rest.isEmpty {
            signatures.append(Array(rest.prefix(Limits.signatureBytes)))
            rest = rest.dropFirst(Limits.signatureBytes)
            guard let key = Bytes32(rest.prefix(32)) else { break }
            keys.append(key)
            rest = rest.dropFirst(32)
        }
        (self.signatures, self.keys) = (signatures, keys)
    }

    fileprivate var payload: [UInt8] {
        guard let firstKey else { return secret.bytes }
        return secret.bytes + firstKey.bytes
            + signatures.enumerated().flatMap { number, signature in
                signature + (number < keys.count ? keys[number].bytes : [])
            }
    }

    func successions(to last: Bytes32) -> [KeySuccession] {
        zip(keys + [last], signatures).map { KeySuccession(key: $0, signature: $1) }
    }
}

/// A recovery key as people write it down: `PEERSYNC-RECOVERY-1-` and ten groups of seven, or
/// `PEERSYNC-RECOVERY-2-` and more groups for a key that came after others.
///
/// The groups spell the 32 secret bytes, how it follows from the person's first key, and the first 5 bytes of
/// their labelled SHA-256 in base32; each group is six characters, the last one may be shorter, and a check
/// character, so that a slip of the pen is found where it is, and the hash finds groups that were exchanged.
enum RecoveryKeyText {
    private static let prefix = "PEERSYNC-RECOVERY-"
    private static let checksumByteCount = 5
    private static let groupLength = 7
    private static let checksumLabel = "peersync recovery key v1"
    /// Without its beginning a text is taken for one of these.
    private static let shortLength = length(successions: 0)
    private static let longest = length(successions: Limits.keySuccessions)

    /// Characters of all groups.
    private static func length(successions: Int) -> Int {
        let payload = successions == 0 ? 32 : 32 + 96 * successions
        let plain = ((payload + checksumByteCount) * 8 + 4) / 5
        return plain + (plain + groupLength - 2) / (groupLength - 1)
    }

    static func text(_ content: RecoveryKeyContent) -> String {
        let payload = content.payload
        let plain = Base32.encode(payload + checksum(of: payload))
        var characters: [UInt8] = []
        for start in stride(from: 0, to: plain.count, by: groupLength - 1) {
            let group = plain[start..<min(start + groupLength - 1, plain.count)]
            characters.append(contentsOf: group)
            if let check = Base32.checkCharacter(of: group) {
                characters.append(check)
            }
        }
        let version = content.firstKey == nil ? "1" : "2"
        return "\(prefix)\(version)-" + Base32.grouped(characters, size: groupLength)
    }

    /// Reads what someone typed: any case, with or without dashes, spaces and, for one of version 1, prefix.
    static func parse(_ text: some StringProtocol) throws(RecoveryKeyError) -> RecoveryKeyContent {
        let (version, typed) = try groupCharacters(text)
        let lengths =
            version == "1"
            ? [shortLength] : (1...Limits.keySuccessions).map { length(successions: $0) }
        guard lengths.contains(typed.count) else {
            let expected = lengths.first { $0 >= typed.count } ?? longest
            throw .wrongLength(
                groups: (expected + groupLength - 1) / groupLength, charactersFound: typed.count)
        }
        var plain: [UInt8] = []
        for (group, start) in stride(from: 0, to: typed.count, by: groupLength).enumerated() {
            let part = typed[start..<min(start + groupLength, typed.count)]
            guard let check = part.last, Base32.checkCharacter(of: part.dropLast()) == check else {
                throw .mistypedGroup(group + 1)
            }
            plain.append(contentsOf: part.dropLast())
        }
        guard let bytes = Base32.decode(plain),
            case let payload = Array(bytes.dropLast(checksumByteCount)),
            checksum(of: payload) == Array(bytes.suffix(checksumByteCount)),
            let content = RecoveryKeyContent(payload)
        else { throw .checksumMismatch }
        return content
    }

    /// The version, and the characters of the groups.
    private static func groupCharacters(
        _ text: some StringProtocol
    ) throws(RecoveryKeyError) -> (version: Unicode.Scalar, characters: [UInt8]) {
        var scalars = text.prefix(8 * longest).unicodeScalars.filter { !Base32.isSeparator($0) }
        var version: Unicode.Scalar = "1"
        let start = prefix.unicodeScalars.filter { $0 != "-" }
        let isPrefixed =
            scalars.count >= start.count
            && zip(scalars, start).allSatisfy { typed, expected in
                typed.properties.uppercaseMapping == String(expected)
            }
        if isPrefixed {
            scalars.removeFirst(start.count)
            guard let found = scalars.first else {
                throw .wrongLength(groups: shortLength / groupLength, charactersFound: 0)
            }
            guard ["1", "2"].contains(found) else { throw .unsupportedVersion(Character(found)) }
            version = found
            scalars.removeFirst()
        } else if scalars.count != shortLength {
            throw .notARecoveryKey
        }
        do {
            return (version, try Base32.normalise(String(String.UnicodeScalarView(scalars))))
        } catch {
            throw .unexpectedCharacter(error.character, group: error.position / groupLength + 1)
        }
    }

    private static func checksum(of payload: [UInt8]) -> [UInt8] {
        let hash = sha256(Array(checksumLabel.utf8) + [0] + payload)
        return Array(hash.bytes.prefix(checksumByteCount))
    }
}
