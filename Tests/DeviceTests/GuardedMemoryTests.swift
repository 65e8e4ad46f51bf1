import Device
import Foundation
import Testing

@Suite("Keys in memory")
struct GuardedMemoryTests {
    @Test("a process that reads keys leaves no core file")
    func noCore() throws {
        // given a home; whether it has keys makes no difference
        let place = FileManager.default.temporaryDirectory.appending(path: "guarded-\(UUID())")
        defer { try? FileManager.default.removeItem(at: place) }
        let home = try AgentHome.resolve(option: place.path, environment: [:])
        // when
        _ = try? IdentityStore.storedKeys(of: home)
        // then
        let limits = try String(contentsOfFile: "/proc/self/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        // The soft limit may have been 0 before; a hard limit of 0 is no system's default.
        #expect(try #require(core).split(separator: " ").suffix(3) == ["0", "0", "bytes"])
    }
}
