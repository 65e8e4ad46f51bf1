/// Both people's answers, in the order they come.
struct PairingDecisions: Sendable {
    let result: PairingResult
    private(set) var ours = false
    private(set) var theirs = false

    init(result: PairingResult) { self.result = result }

    var question: PairingQuestion {
        PairingQuestion(
            card: result.card, personName: result.personName, deviceName: result.deviceName,
            mine: result.mine)
    }

    var areComplete: Bool { ours && theirs }

    /// False when this side has said yes before.
    mutating func acceptHere() -> Bool {
        defer { ours = true }
        return !ours
    }

    mutating func acceptThere() -> Bool {
        defer { theirs = true }
        return !theirs
    }
}
