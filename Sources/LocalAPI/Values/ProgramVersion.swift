/// The version of this program.
package enum ProgramVersion {
    package static let text = "0.1.0"
    /// 1 is `/v1`.
    package static let api = 1

    /// How a program of a version calls itself over HTTP (RFC 9110, section 10.2.4).
    static func product(_ version: String = text) -> String { "peersync/" + version }
}
