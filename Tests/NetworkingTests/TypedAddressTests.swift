import LocalAPI
import Networking
import SyncCore
import Testing

@Suite("Addresses that people type")
struct TypedAddressTests {
    @Test("An address without a port has the default one")
    func defaultPort() throws {
        #expect(
            try HostPort(typed: "laptop") == HostPort(host: "laptop", port: Limits.defaultPort))
        #expect(try HostPort(typed: "laptop:1") == HostPort(host: "laptop", port: 1))
    }

    @Test(
        "A wrong port is told as such, with the ports that there are",
        arguments: ["laptop:65536", "laptop:0", "192.168.1.20:x", "[2001:db8::20]:99999", "a:"])
    func wrongPort(_ typed: String) {
        // when
        let error = #expect(throws: APIError.self) { try HostPort(typed: typed) }
        // then
        #expect(error?.code == .badInput)
        #expect(
            error?.sentence
                == "The port in \(Sentence.name(typed)) is not a number from 1 to 65535.")
        #expect(error?.hint != nil)
    }

    @Test("A wrong host is no address", arguments: ["", "10.0.0", "a b:70000"])
    func wrongHost(_ typed: String) {
        #expect(throws: APIError.malformedAddress(typed)) { try HostPort(typed: typed) }
    }
}
