import Discovery
package import LocalAPI
package import SyncCore

extension HostPort {
    /// The address that a person typed, with the default port where it names none.
    package init(typed text: String) throws(APIError) {
        do throws(HostPortError) {
            self = try HostPort(parsing: text, defaultPort: Limits.defaultPort)
        } catch {
            throw error == .malformedPort ? .malformedPort(text) : .malformedAddress(text)
        }
    }
}
