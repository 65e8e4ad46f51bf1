/// Which peersync this is.
package enum ProgramVersion {
    package static let text = "0.1.0"
    /// 1 is `/v1`.
    package static let api = 1
}
