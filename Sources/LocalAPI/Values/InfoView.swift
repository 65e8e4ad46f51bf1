/// The identity of the answering agent.
package struct InfoView: Codable, Sendable, Equatable {
    /// Version of the program, for example `0.1.0`.
    package let version: String
    /// Version of this API; 1 is `/v1`.
    package let apiVersion: Int
    /// Version of the protocol between devices.
    package let protocolVersion: Int
    package let device: Reference
    package let person: Reference
    /// The directory that holds all state, absolute.
    package let home: String
    /// Process id of the agent that answers.
    package let processID: Int32

    package init(
        version: String, apiVersion: Int, protocolVersion: Int, device: Reference,
        person: Reference, home: String, processID: Int32
    ) {
        (self.version, self.apiVersion) = (version, apiVersion)
        (self.protocolVersion, self.device) = (protocolVersion, device)
        (self.person, self.home, self.processID) = (person, home, processID)
    }
}
