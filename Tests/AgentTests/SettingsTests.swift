import Agent
import Device
import LocalAPI
import Logging
import TestDevices
import Testing

/// The settings of a device, and the origin of each value.
@Suite struct SettingsTests {
    private func view(_ name: SettingName, of agent: TestAgent) async throws -> SettingView? {
        try await agent.service.call(\.agent.settings).first { $0.name == name }
    }

    @Test("A setting holds until it is unset, and then it has its default again")
    func setAndUnset() async throws {
        try await TestAgent.with { ann in
            for (name, value, standard) in [
                (SettingName.port, "21900", "21827"), (.logLevel, "debug", "warning"),
                (.backupKeep, "7d,4w", ""), (.sync, "off", "on"), (.binDays, "60", "30"),
                (.binFiles, "free", "keep"),
            ] {
                #expect(try await view(name, of: ann)?.value == standard)
                #expect(try await view(name, of: ann)?.origin == .standard)
                let set = try await ann.service.call(
                    \.agent.setSetting, id: name.rawValue, SettingDraft(value: value))
                #expect(set.value == value && set.origin == .set && set.stored == value)
                #expect(try await view(name, of: ann) == set)
                let unset = try await ann.service.call(
                    \.agent.setSetting, id: name.rawValue, SettingDraft(value: nil))
                #expect(unset.value == standard && unset.stored == nil)
            }
        }
    }

    @Test(
        "An invalid value is refused, and the old one stays",
        arguments: [
            ("port", "65536"), ("port", "x"), ("log-level", "loud"), ("backup-keep", "7x"),
            ("bin-days", "0"), ("bin-days", "3651"), ("bin-days", "x"), ("bin-days", "1.5"),
            ("sync", "maybe"), ("device-name", ""), ("person-name", "two\nlines"),
            ("person-name", nil), ("no-such", "1"), ("language", "de"), ("data-sets", "/tmp"),
            ("largest-file", "1"), ("most-rows", nil),
        ])
    func refused(name: String, value: String?) async throws {
        try await TestAgent.with { ann in
            let before = try await ann.service.call(\.agent.settings)
            await #expect(throws: APIError.self) {
                try await ann.service.call(
                    \.agent.setSetting, id: name, SettingDraft(value: value))
            }
            #expect(try await ann.service.call(\.agent.settings) == before)
        }
    }

    @Test("Limits are listed as built in")
    func limits() async throws {
        try await TestAgent.with { ann in
            let fixed = try await ann.service.call(\.agent.settings).filter {
                $0.origin == .builtIn
            }
            #expect(
                fixed.map(\.name)
                    == [.largestFile, .largestPicture, .longestText, .longestName, .mostRows])
            #expect(fixed.first?.value == "17179869184")
            #expect(try await view(.dataSets, of: ann)?.origin == .standard)
        }
    }

    @Test("Names are settings as well, and others receive them as a rename")
    func names() async throws {
        try await TestAgent.with { ann in
            let person = try await ann.service.call(
                \.agent.setSetting, id: "person-name", SettingDraft(value: "Anna"))
            let device = try await ann.service.call(
                \.agent.setSetting, id: "device-name", SettingDraft(value: " desk "))
            #expect(person.value == "Anna" && device.value == "desk")
            #expect(ann.node.identity.personName == "Anna")
            #expect(ann.node.identity.deviceName == "desk")
        }
    }

    @Test("The log follows its level at once")
    func logLevel() async throws {
        let output = LogOutput(level: .warning, form: .text) { _ in }
        let logger = AgentLog(output).logger
        #expect(logger.logLevel == .info)
        output.setLevel(.debug)
        #expect(output.level == .debug && logger.logLevel == .debug)
    }
}
