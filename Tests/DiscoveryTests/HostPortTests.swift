import Discovery
import SyncCore
import Testing

@Suite("Host and port")
struct HostPortTests {
    @Test(
        "typed hosts and ports are read",
        arguments: [
            ("laptop:4711", "laptop", 4711), ("laptop", "laptop", 9),
            ("laptop.local.", "laptop.local.", 9),
            ("10.77.0.1", "10.77.0.1", 9), ("10.77.0.1:1", "10.77.0.1", 1),
            ("my_nas:80", "my_nas", 80),
            ("[fe80::1%eth0]:4711", "fe80::1%eth0", 4711), ("[::1]", "::1", 9),
            ("fe80::1%wlp3s0", "fe80::1%wlp3s0", 9), ("2001:db8::5:4711", "2001:db8::5:4711", 9),
            ("a-1.b:65535", "a-1.b", 65535), ("2nd-laptop", "2nd-laptop", 9),
        ])
    func reads(_ text: String, _ host: String, _ port: UInt16) throws {
        let place = try HostPort(parsing: text, defaultPort: 9)
        #expect(place == HostPort(host: host, port: port))
        #expect(try HostPort(parsing: place.description, defaultPort: 1) == place)
    }

    @Test(
        "a malformed host is refused",
        arguments: [
            ":80", "[::1", "[host]:1", "a b", "10.0.0", "10.0.0.256", "1.2.3.4.5:80", "-a", "a..b",
            ".",
            "fe80::1%", "fe80::1%a/b", ":::", "[]:1", "é", "a\u{1B}", "fe80::1%0123456789abcdef",
            "a/b", "::1\0]", "[::1\0]:5", "1.2.3.4\0.5",
            String(repeating: "a", count: 64), String(repeating: "a.", count: 200),
        ])
    func malformedHost(_ text: String) {
        #expect(throws: HostPortError.malformedHost) {
            try HostPort(parsing: text, defaultPort: 9)
        }
    }

    @Test(
        "a malformed port is refused",
        arguments: [
            "a:", "a:0", "a:65536", "a:+1", "a:-1", "a: 1", "a:x", "[::1]:", "[::1]80", "a:٣",
        ])
    func malformedPort(_ text: String) {
        #expect(throws: HostPortError.malformedPort) {
            try HostPort(parsing: text, defaultPort: 9)
        }
    }

    @Test("an empty text is not a host")
    func empty() {
        #expect(throws: HostPortError.empty) { try HostPort(parsing: "", defaultPort: 9) }
    }
}
