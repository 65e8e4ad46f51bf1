import Identity
import SyncCore

/// What one side of a pairing was told and has done, and what it must never do.
struct PairingSide {
    enum Role: Int, CaseIterable {
        case host
        case join
    }

    private let role: Role
    private var hasAskedDesk = false
    private var isBurned = false
    /// The desk has said whether this attempt gets the code.
    private(set) var isAnswered = false
    private(set) var isAsked = false
    private(set) var hasDecided = false
    private var hasSaidYes = false
    private var hasHeardYes = false
    private var hasHeardStored = false
    private var stored: PairingResult?
    private var hasStored = false
    private var hasEnded = false
    private(set) var hasFinished = false

    /// The person's answer is on the disk once this is over.
    var isStoring: Bool { stored != nil && !hasStored && !hasEnded }

    init(_ role: Role) {
        self.role = role
    }

    mutating func note(_ event: PairingEvent) {
        switch event {
        case .burned: (isBurned, isAnswered) = (true, true)
        case .notBurned: isAnswered = hasAskedDesk
        case .decided(let accepted):
            if isAsked { (hasDecided, hasSaidYes) = (true, hasSaidYes || accepted) }
        case .stored: hasStored = hasStored || stored != nil
        case .message(.decision(accepted: true)): hasHeardYes = true
        case .message(.stored): hasHeardStored = true
        case .message, .storeFailed, .cancelled, .disconnected, .tick: break
        }
    }

    /// Throws ``BrokenProperty`` when an action may not follow what came before. `isSound`: both have
    /// the same code and see each other's keys.
    mutating func check(
        _ actions: [PairingAction], deadline: ContinuousClock.Instant?, isSound: Bool
    ) throws {
        try require(!hasEnded || actions.isEmpty, "nothing follows the end")
        for (number, action) in actions.enumerated() {
            switch action {
            case .send(let message): try check(message, isSound: isSound)
            case .burn:
                try require(role == .host && !hasAskedDesk, "one attempt burns one code")
                hasAskedDesk = true
            case .askPerson(let question):
                try require(isSound, "nobody is asked before the code is proven")
                try require(!isAsked, "a person is asked once")
                try require(!question.personName.isEmpty, "a person is asked about a name")
                isAsked = true
            case .store(let result):
                try require(isSound && stored == nil, "one result is stored, of a proven code")
                try require(hasSaidYes && hasHeardYes, "both said yes to what is stored")
                try require(role == .host || hasHeardStored, "the host stores first")
                stored = result
            case .finished(let result):
                try require(hasStored && result == stored, "what ended well is stored")
                hasFinished = true
            case .failed(let failure): try check(failure)
            }
            if case .finished = action { hasEnded = true }
            if case .failed = action { hasEnded = true }
            try require(!hasEnded || number == actions.count - 1, "the end comes last")
        }
        try require(!hasEnded || deadline == nil, "who is done waits for nothing")
    }

    private func check(_ message: PairingMessage, isSound: Bool) throws {
        switch message {
        case .shareA: try require(isBurned, "the share leaves after the attempt is burned")
        case .introduction: try require(isSound, "names leave once the code is proven")
        case .decision(accepted: true): try require(hasSaidYes, "only a person says yes")
        case .endorsement:
            try require(role == .host && hasStored, "a card leaves after it is stored")
        case .stored: try require(hasStored, "who says stored has stored")
        case .hello, .shareB: try require(role == .join, "a joining device's message")
        case .confirmationA: try require(role == .host && isSound, "a host's message")
        case .decision, .refusal: break
        }
    }

    private func check(_ failure: PairingFailure) throws {
        if failure == .unconfirmed {
            try require(role == .host && stored != nil, "unconfirmed is what a host stored")
        } else {
            try require(!hasStored, "what is stored does not fail")
        }
        if isStoring { try require(failure == .storeFailed, "storing is not given up") }
    }
}
