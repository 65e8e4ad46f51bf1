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

/// A recovery key as people write it down: `PEERSYNC-RECOVERY-1-` and ten groups of seven.
///
/// The groups spell the 32 secret bytes and the first 5 bytes of their labelled SHA-256 in base32;
/// each group is six characters and a check character, so that a slip of the pen is found where it
/// is, and the hash finds groups that were exchanged.
enum RecoveryKeyText {
    private static let prefix = "PEERSYNC-RECOVERY-"
    private static let version: Unicode.Scalar = "1"
    private static let checksumByteCount = 5
    private static let groupLength = 7
    private static let groupCount = 10
    private static let length = groupLength * groupCount
    private static let checksumLabel = "peersync recovery key v1"

    static func text(of secret: Bytes32) -> String {
        let plain = Base32.encode(secret.bytes + checksum(of: secret))
        var characters: [UInt8] = []
        for start in stride(from: 0, to: plain.count, by: groupLength - 1) {
            let group = plain[start..<min(start + groupLength - 1, plain.count)]
            characters.append(contentsOf: group)
            if let check = Base32.checkCharacter(of: group) {
                characters.append(check)
            }
        }
        return "\(prefix)\(version)-" + Base32.grouped(characters, size: groupLength)
    }

    /// Reads what someone typed: any case, with or without dashes, spaces and prefix.
    static func parse(_ text: some StringProtocol) throws(RecoveryKeyError) -> Bytes32 {
        let typed = try groupCharacters(text)
        guard typed.count == length else {
            throw .wrongLength(groups: groupCount, charactersFound: typed.count)
        }
        var plain: [UInt8] = []
        for group in 0..<groupCount {
            let start = group * groupLength
            let part = typed[start..<start + groupLength - 1]
            guard Base32.checkCharacter(of: part) == typed[start + groupLength - 1] else {
                throw .mistypedGroup(group + 1)
            }
            plain.append(contentsOf: part)
        }
        guard let bytes = Base32.decode(plain), let secret = Bytes32(bytes.prefix(32)),
            checksum(of: secret) == Array(bytes.dropFirst(32))
        else { throw .checksumMismatch }
        return secret
    }

    /// The characters of the groups, without prefix.
    private static func groupCharacters(
        _ text: some StringProtocol
    ) throws(RecoveryKeyError) -> [UInt8] {
        var scalars = text.prefix(8 * length).unicodeScalars.filter { !Base32.isSeparator($0) }
        let start = prefix.unicodeScalars.filter { $0 != "-" }
        let isPrefixed =
            scalars.count >= start.count
            && zip(scalars, start).allSatisfy { typed, expected in
                typed.properties.uppercaseMapping == String(expected)
            }
        if isPrefixed {
            scalars.removeFirst(start.count)
            guard let found = scalars.first else {
                throw .wrongLength(groups: groupCount, charactersFound: 0)
            }
            guard found == version else { throw .unsupportedVersion(Character(found)) }
            scalars.removeFirst()
        } else if scalars.count != length {
            throw .notARecoveryKey
        }
        do {
            return try Base32.normalise(String(String.UnicodeScalarView(scalars)))
        } catch {
            throw .unexpectedCharacter(error.character, group: error.position / groupLength + 1)
        }
    }

    private static func checksum(of secret: Bytes32) -> [UInt8] {
        let hash = sha256(Array(checksumLabel.utf8) + [0] + secret.bytes)
        return Array(hash.bytes.prefix(checksumByteCount))
    }
}
