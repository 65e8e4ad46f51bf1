/// The limits of the local API, with unit and reason. They bound mistakes of local programs, not
/// attacks: only this user's processes reach the socket.
package enum LocalLimits {
    /// Bytes of one request's body: a memory's text is at most one commit of 1 MiB, JSON escapes
    /// grow it.
    static let requestBytes = 4 << 20
    /// The same for a request that adds many records: 100,000 of them with 600 bytes each. The agent holds
    /// it in memory several times while parsing it.
    package static let batchBytes = 64 << 20
    /// Bytes of one answer: a list of 100,000 memories is about 40 MB.
    static let answerBytes = 256 << 20
    /// Memories or records that a command asks for at once, and that can be asked for: a terminal shows the first
    /// of them at once, and the agent holds no more.
    package static let recordsOfPart = 1_000
    /// Lines of an answer's head, and bytes of each: the agent sends 5 of about 60.
    static let headLines = 100
    static let headLineBytes = 8 << 10
    /// Bytes of an answer that are received at once.
    static let receiveBytes = 64 << 10
    /// Local connections at once: a few commands and one long poll each.
    static let connections = 64
    /// Seconds in which an agent that listens has room for one more connection.
    static let connectSeconds = 2
    /// Seconds a connection may stay without a request.
    static let idleSeconds: Int64 = 60
    /// Seconds that a long poll may wait; so short that the program does not seem to hang.
    static let pollSeconds = 30
    /// Bytes of a unix socket's path on Linux, without the closing zero (`sockaddr_un`, 108).
    static let socketPathBytes = 107
}
