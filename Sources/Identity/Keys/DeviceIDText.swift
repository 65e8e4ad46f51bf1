package import SyncCore

/// Why a text is no device ID, precise enough to show where to look.
package enum DeviceIDTextError: Error, Hashable {
    /// Letters and digits found; a device ID has 56 of them.
    case wrongLength(Int)
    case unexpectedCharacter(Character)
    /// The first pair of groups, from 1 to 4, whose check character does not fit.
    case mistyped(pair: Int)
    /// The check characters fit, but no device has this ID.
    case impossible
}

/// A device ID as people read and type it: 52 characters of base32, a check character after each
/// 13 of them, shown in eight groups of seven. The form is that of Syncthing's device IDs.
package enum DeviceIDText {
    private static let blockLength = 13
    private static let blockCount = 4
    private static let groupLength = 7
    private static let length = blockCount * (blockLength + 1)

    /// For example `P56IOI7-MZJNU2Y-IQGDREY-DM2MGTI-MGL3BXN-PQ6W5BM-TBBZ4TJ-XZWICQ2`.
    package static func text(of device: DeviceID) -> String {
        Base32.grouped(characters(of: device), size: groupLength)
    }

    /// The first group, for lists where the whole ID would be in the way. Names nobody for sure.
    package static func short(of device: DeviceID) -> String {
        String(decoding: characters(of: device).prefix(groupLength), as: UTF8.self)
    }

    /// Reads what someone typed: either case, with or without dashes and spaces, 0 for O, 1 for I
    /// and 8 for B.
    package static func parse(_ text: some StringProtocol) throws(DeviceIDTextError) -> DeviceID {
        let typed: [UInt8]
        do {
            typed = try Base32.normalise(text.prefix(4 * length))
        } catch {
            throw .unexpectedCharacter(error.character)
        }
        guard typed.count == length else { throw .wrongLength(typed.count) }
        var plain: [UInt8] = []
        for block in 0..<blockCount {
            let start = block * (blockLength + 1)
            let part = typed[start..<start + blockLength]
            guard Base32.checkCharacter(of: part) == typed[start + blockLength] else {
                throw .mistyped(pair: block + 1)
            }
            plain.append(contentsOf: part)
        }
        guard let bytes = Base32.decode(plain), let device = DeviceID(bytes: bytes) else {
            throw .impossible
        }
        return device
    }

    private static func characters(of device: DeviceID) -> [UInt8] {
        let plain = Base32.encode(device.bytes)
        var checked: [UInt8] = []
        for start in stride(from: 0, to: plain.count, by: blockLength) {
            let block = plain[start..<min(start + blockLength, plain.count)]
            checked.append(contentsOf: block)
            if let check = Base32.checkCharacter(of: block) {
                checked.append(check)
            }
        }
        return checked
    }
}
