extension FuzzTarget {
    /// Every target.
    package static let all: [FuzzTarget] = [
        frame, message, archive, commit, membership, card, ack, holdings, pairing, pairingOrder,
        pairingText, age, textRecord, shownText, track, schema, picture, decoderReport,
        localRequest,
    ]
}
