import Foundation
import Identity
import SyncCore
import Testing

@Suite("Recovery keys")
struct RecoveryKeyTests {
    @Test("A recovery key typed back gives the same person")
    func roundTrip() throws {
        for _ in 0..<20 {
            let key = PersonKey.generate()
            let text = key.recoveryText
            #expect(try PersonKey(recoveryText: text).publicKey == key.publicKey)
            #expect(text.hasPrefix("PEERSYNC-RECOVERY-1-"))
            let parts = text.split(separator: "-").map(String.init)
            #expect(parts.count == 13)
            #expect(parts.dropFirst(3).allSatisfy { $0.count == 7 })
        }
    }

    @Test(
        "A key that came after others is typed back with all of them, up to the last there may be")
    func successors() throws {
        var key = PersonKey.generate()
        let person = key.person
        for number in 1...Limits.keySuccessions {
            key = try #require(key.successor())
            let text = key.recoveryText
            #expect(text.hasPrefix("PEERSYNC-RECOVERY-2-"))
            let typed = try PersonKey(recoveryText: text.lowercased().replacing("-", with: " "))
            #expect(typed.publicKey == key.publicKey && typed.person == person)
            #expect(typed.successions == key.successions && typed.successions.count == number)
            #expect(typed.recoveryText == text)
        }
        #expect(key.successor() == nil)
    }

    @Test("A key that came after another one is told mistakes like the first one")
    func mistypedSuccessor() throws {
        let key = try #require(PersonKey.generate().successor())
        let groups = key.recoveryText.split(separator: "-").map(String.init)
        #expect(groups.count == 39)
        for group in [1, 20, 36] {
            var typed = groups
            let original = typed[group + 2]
            typed[group + 2] = (original.hasPrefix("A") ? "C" : "A") + original.dropFirst()
            #expect(throws: RecoveryKeyError.mistypedGroup(group)) {
                try PersonKey(recoveryText: typed.joined(separator: "-"))
            }
        }
        var swapped = groups
        swapped.swapAt(4, 30)
        #expect(throws: RecoveryKeyError.checksumMismatch) {
            try PersonKey(recoveryText: swapped.joined(separator: "-"))
        }
        #expect(throws: RecoveryKeyError.self) {
            try PersonKey(recoveryText: groups.dropLast().joined(separator: "-"))
        }
    }

    @Test("Case, spaces, missing dashes and a missing prefix do not matter")
    func tolerant() throws {
        let key = PersonKey.generate()
        let text = key.recoveryText
        let groups = text.dropFirst("PEERSYNC-RECOVERY-1-".count)
        for typed in [
            text.lowercased(), text.replacing("-", with: " "), text.replacing("-", with: ""),
            " \(text)\n", String(groups), groups.lowercased().replacing("-", with: ""),
            text.replacing("O", with: "0").replacing(
                "PEERSYNC-REC0VERY", with: "peersync recovery"),
        ] {
            #expect(try PersonKey(recoveryText: typed).publicKey == key.publicKey, "\(typed)")
        }
    }

    @Test("A mistyped group is named")
    func mistypedGroup() throws {
        var groups = PersonKey.generate().recoveryText.split(separator: "-").map(String.init)
        for group in 1...10 {
            let original = groups[group + 2]
            groups[group + 2] = (original.hasPrefix("A") ? "C" : "A") + original.dropFirst()
            #expect(throws: RecoveryKeyError.mistypedGroup(group)) {
                try PersonKey(recoveryText: groups.joined(separator: "-"))
            }
            groups[group + 2] = original
        }
    }

    @Test("Exchanged groups are found by the checksum over all")
    func exchangedGroups() throws {
        var groups = PersonKey.generate().recoveryText.split(separator: "-").map(String.init)
        groups.swapAt(4, 9)
        try #require(groups[4] != groups[9])
        #expect(throws: RecoveryKeyError.checksumMismatch) {
            try PersonKey(recoveryText: groups.joined(separator: "-"))
        }
    }

    @Test("What is no recovery key, or of a newer version, or incomplete, is said to be so")
    func otherErrors() {
        let text = PersonKey.generate().recoveryText
        let cases: [(String, RecoveryKeyError)] = [
            ("", .notARecoveryKey),
            ("hello", .notARecoveryKey),
            ("PEERSYNC-RECOVERY", .wrongLength(groups: 10, charactersFound: 0)),
            ("PEERSYNC-RECOVERY-3-AAAA", .unsupportedVersion("3")),
            (String(text.dropLast(3)), .wrongLength(groups: 10, charactersFound: 67)),
            (
                text.prefix(27) + "-!" + text.dropFirst(29),
                .unexpectedCharacter("!", group: 2)
            ),
        ]
        for (typed, expected) in cases {
            #expect(throws: expected, "\(typed)") { try PersonKey(recoveryText: typed) }
        }
    }
}

@Suite("The key file")
struct KeyFileTests {
    private let directory: String

    init() throws {
        directory = NSTemporaryDirectory() + "peersync-keys-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
    }

    private var path: String { directory + "/device.key" }

    @Test("Keys that were written are read back, from a file of mode 0600 and nothing beside it")
    func roundTrip() throws {
        let keys = DeviceKeys.generate()
        try KeyFile.write(keys, to: path)
        let read = try KeyFile.read(from: path)
        #expect(read.signingSecret == keys.signingSecret)
        #expect(read.agreementSecret == keys.agreementSecret)
        #expect(read.device == keys.device)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["device.key"])
    }

    @Test("Keys that are there are never replaced")
    func neverReplaced() throws {
        let keys = DeviceKeys.generate()
        try KeyFile.write(keys, to: path)
        #expect(throws: KeyFileError.alreadyExists) {
            try KeyFile.write(.generate(), to: path)
        }
        #expect(try KeyFile.read(from: path).device == keys.device)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["device.key"])
    }

    @Test("A leftover of an interrupted write does not stand in the way")
    func leftover() throws {
        try Data("half".utf8).write(to: URL(fileURLWithPath: path + ".new"))
        let keys = DeviceKeys.generate()
        try KeyFile.write(keys, to: path)
        #expect(try KeyFile.read(from: path).device == keys.device)
    }

    @Test("A file that others may read or change is refused", arguments: [0o640, 0o604, 0o660])
    func tooOpen(mode: Int) throws {
        try KeyFile.write(.generate(), to: path)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect(throws: KeyFileError.tooOpen(mode: UInt32(mode))) {
            try KeyFile.read(from: path)
        }
    }

    @Test("A missing file, a link and a directory are told apart")
    func notAFile() throws {
        #expect(throws: KeyFileError.notFound) { try KeyFile.read(from: path) }
        #expect(throws: KeyFileError.notARegularFile) { try KeyFile.read(from: directory) }
        try KeyFile.write(.generate(), to: path)
        try FileManager.default.createSymbolicLink(
            atPath: directory + "/link", withDestinationPath: path)
        #expect(throws: KeyFileError.notARegularFile) {
            try KeyFile.read(from: directory + "/link")
        }
        #expect(throws: KeyFileError.system(call: "open", code: ENOENT)) {
            try KeyFile.write(.generate(), to: directory + "/missing/device.key")
        }
    }

    @Test("Any changed byte and any missing end is noticed")
    func damage() throws {
        try KeyFile.write(.generate(), to: path)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for position in whole.indices where position % 7 == 0 {
            var changed = whole
            changed[position] ^= 1
            try overwrite(changed)
            #expect(throws: KeyFileError.self, "byte \(position)") {
                try KeyFile.read(from: path)
            }
            try overwrite(whole.prefix(position))
            #expect(throws: KeyFileError.damaged) { try KeyFile.read(from: path) }
        }
        try overwrite(Data(repeating: 0x41, count: 1 << 20))
        #expect(throws: KeyFileError.damaged) { try KeyFile.read(from: path) }
    }

    @Test("A newer version is refused by its name")
    func newerVersion() throws {
        try KeyFile.write(.generate(), to: path)
        try overwrite(Data("peersync device keys 2\nwhatever\n".utf8))
        #expect(throws: KeyFileError.unsupportedVersion("2")) { try KeyFile.read(from: path) }
    }

    /// Keeps the file's mode.
    private func overwrite(_ content: Data) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: content)
        try handle.close()
    }
}
