import SyncCore

/// Whether two messages are the same in every part.
func isSame(_ left: PeerMessage, _ right: PeerMessage) -> Bool {
    switch (left, right) {
    case (.hello(let one), .hello(let other)): isSame(one, other)
    case (.spaces(let one, let flag), .spaces(let other, let otherFlag)):
        one == other && flag == otherFlag
    case (.watermark(let space, let one, let flag), .watermark(let otherSpace, let other, let to)):
        space == otherSpace && one == other && flag == to
    case (.commits(let space, let one, let live), .commits(let otherSpace, let other, let to)):
        space == otherSpace && live == to && one.count == other.count
            && zip(one, other).allSatisfy(isSame)
    case (.ack(let one), .ack(let other)):
        one.ack == other.ack && one.bytes == other.bytes && one.signature == other.signature
    case (.holdings(let one), .holdings(let other)):
        one.holdings == other.holdings && one.bytes == other.bytes
            && one.signature == other.signature
    case (.want(let one), .want(let other)): one == other
    case (.have(let one), .have(let other)): one == other
    case (.cancel(let one), .cancel(let other)): one == other
    case (.ping(let one), .ping(let other)): one == other
    case (.pong(let one), .pong(let other)): one == other
    case (.bye(let one), .bye(let other)): one == other
    case (.decline(let one), .decline(let other)): one == other
    case (.unknown, .unknown): true
    default: false
    }
}

func isSame(_ left: UnverifiedCommit, _ right: UnverifiedCommit) -> Bool {
    left.id == right.id && left.header == right.header && left.clear == right.clear
        && left.operations == right.operations && left.encoded == right.encoded
}

private func isSame(_ left: Hello, _ right: Hello) -> Bool {
    left.versions == right.versions && left.card == right.card
        && left.agentVersion == right.agentVersion && left.features == right.features
        && left.wallClock == right.wallClock && left.purpose == right.purpose
        && left.listeningPort == right.listeningPort
}
