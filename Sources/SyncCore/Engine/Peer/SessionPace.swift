extension Limits {
    // MARK: Pace of a session

    /// The safety net: after a change both sides compare what they hold although nothing was pushed, so
    /// that they agree within 30 s (requirement P2).
    package static let pullIntervalMilliseconds: UInt64 = 25_000
    /// What two devices know differs while changes and acks are on their way: after this time it should
    /// not any more.
    package static let settlingMilliseconds: UInt64 = 2_000
    /// Changes that cannot be pushed are announced together, at most this often per session.
    package static let announceIntervalMilliseconds: UInt64 = 100
    /// Files that came are reported together, at most this often.
    package static let holdingsIntervalMilliseconds: UInt64 = 500
    /// After how much silence a connection is asked whether it stands, and with it whether both hold
    /// the same: some 350 bytes with the answer, so that the 66 connections of twelve idle devices
    /// cost some 150 bytes a second.
    package static let keepAliveMilliseconds: UInt64 = 150_000
    /// A connection on which something came within this time needs no asking when somebody looks: who looks
    /// all the time asks once a second. People are told after 3 seconds without an answer.
    package static let quietMilliseconds: UInt64 = 1_000
    /// How long a device that refused a file counts as lacking it, unless it says again that it has it.
    package static let statementsIntervalMilliseconds: UInt64 = 300_000
    /// A peer that was asked and says nothing for this long is gone.
    package static let answerMilliseconds: UInt64 = 5_000
    /// Batches of commits on their way without an ack.
    package static let commitBatchesInFlight = 4
    /// The same with commits that were pushed at once; the rest follows. Half of what a
    /// peer lets wait, as some may still be on their way when the window restarts.
    package static let pushesInFlight = commitBatchesUnapplied / 2
    /// Batches received and not yet applied before a question of the peer is not answered at once: each answer makes
    /// it send a full window.
    static let commitBatchesWaiting = 2 * commitBatchesInFlight
    /// Batches received and not yet applied before the session has broken the protocol.
    package static let commitBatchesUnapplied = 64
}
