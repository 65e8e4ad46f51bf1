import SyncCore

extension FuzzTarget {
    /// Every target.
    package static let all: [FuzzTarget] = [
        frame, message, archive, commit, membership, card, ack, holdings, pairing, pairingOrder,
        pairingText, age, textRecord, shownText, track, schema, picture, decoderReport,
        localRequest,
    ]

    /// Broken rules of the program's own state end the process, too.
    package static func checkInvariants() { Invariants.checkAll() }
}
