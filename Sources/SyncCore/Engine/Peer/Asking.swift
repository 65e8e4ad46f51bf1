/// The question what a peer holds more: this device's watermark, answered with the peer's.
package struct Asking {
    /// Why the peer is to be asked once all that came of it is applied.
    package struct Reasons: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// It said that it holds more. What it says next makes that moot.
        package static let peerHasMore = Reasons(rawValue: 1)
        /// Something was learned that makes it worth asking again, whatever it says meanwhile.
        package static let learnedMore = Reasons(rawValue: 2)
        /// It listed another digest while it was sending what it holds. Asked once that is here: a
        /// question in between would have it send again what is on its way.
        package static let listedMore = Reasons(rawValue: 4)
    }

    /// What the peer sends since it was asked.
    struct Delivery {
        /// What it said it holds.
        let holdings: Watermark
        /// When this device waits no longer unless something comes, on the monotonic clock.
        var due: UInt64
    }

    /// What a device holds of a space, to tell progress.
    struct Holding: Equatable {
        let watermark: Watermark
        let branches: Int
    }

    /// The question is on its way to the peer and its answer is due.
    package private(set) var awaitsAnswer = false
    package internal(set) var reasons: Reasons = []
    /// Set by the answer about a space that is not here yet; nil once all of it is here, or nothing came
    /// for ``Limits/answerMilliseconds``.
    private(set) var delivery: Delivery?
    /// What was here when something did not fit and the peer was asked for what comes before.
    var lastAsked: Holding?
    /// Where in each log the first commit stands that is not whole here, when the peer was asked for the rest.
    private var partsAsked: [LogID: UInt64] = [:]
    /// The same when it answered last.
    private(set) var partsAnswered: [LogID: UInt64] = [:]
    /// What was here, and what had come of a peer that is no reader, when it was last answered.
    private var lastAnswered: (here: Holding, received: Watermark)?
    /// Logs of which the peer was told that nothing more is taken now.
    var toldLater: Set<LogID> = []

    /// Whether there is a reason to ask now.
    var isDue: Bool { !reasons.subtracting(delivery == nil ? [] : .listedMore).isEmpty }

    mutating func ask() {
        awaitsAnswer = true
        delivery = nil
        reasons.subtract([.learnedMore, .listedMore])
    }

    /// It is asked for what is missing in logs from these positions on.
    mutating func askForParts(_ first: [LogID: UInt64]) { partsAsked = first }

    /// The peer said what it holds. Whether that is all that is here: one that lacks something may not know yet that
    /// this device may read the space, and then gives it no parts.
    mutating func heardWatermark(isAnswer: Bool, holdsAll: () -> Bool) {
        awaitsAnswer = false
        // Its own question may have crossed this device's.
        if isAnswer, !partsAsked.isEmpty, holdsAll() { partsAnswered = partsAsked }
    }

    // MARK: Delivery

    /// The peer answered and sends all of a space that is not here. What it listed before the answer is
    /// compared after that.
    mutating func expect(_ holdings: Watermark, at now: UInt64) {
        guard !holdings.isEmpty else { return }
        delivery = Delivery(holdings: holdings, due: now + Limits.answerMilliseconds)
        if reasons.remove(.peerHasMore) != nil { reasons.insert(.listedMore) }
    }

    /// Something of the peer was applied: more may follow.
    mutating func prolongDelivery(at now: UInt64) {
        delivery?.due = now + Limits.answerMilliseconds
    }

    /// Ends the delivery when all of it is here, wherever it came from.
    mutating func endDelivery(holding here: Watermark) {
        if let delivery, here.covers(delivery.holdings) { self.delivery = nil }
    }

    /// Ends it when nothing came for too long.
    mutating func endDelivery(at now: UInt64) {
        if let delivery, delivery.due <= now { self.delivery = nil }
    }

    /// What the peer holds was compared in another way.
    mutating func compared() { reasons.subtract([.peerHasMore, .listedMore]) }

    /// Whether anything came of what a peer brought which is no reader: else it would bring the same again,
    /// once it is answered.
    mutating func isNews(_ here: Holding, received: Watermark) -> Bool {
        if let last = lastAnswered, last == (here, received) { return false }
        lastAnswered = (here, received)
        return true
    }

    mutating func beginPull() {
        awaitsAnswer = false
        (partsAsked, partsAnswered) = ([:], [:])
        lastAsked = nil
        lastAnswered = nil
    }
}
