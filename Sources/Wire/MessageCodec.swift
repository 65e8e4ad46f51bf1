internal import FoundationEssentials
internal import SwiftProtobuf
package import SyncCore

/// The messages of a session, the payload of a frame of kind 0 <-> values.
package struct MessageCodec: Sendable {
    package init() {}

    /// The frame's payload. A title or a name that is too long for a message is cut.
    package func encode(_ message: PeerMessage) -> [UInt8] {
        var encoded = Peersync_V1_Message()
        switch message {
        case .hello(let hello): encoded.hello = Peersync_V1_Hello(hello)
        case .spaces(let spaces, let answer):
            encoded.spaces = Peersync_V1_Spaces(spaces, answer: answer)
        case .watermark(let space, let watermark, let forks, let answer):
            encoded.watermark = Peersync_V1_Watermark(space, watermark, forks, answer: answer)
        case .fork(let space, let fork): encoded.fork = Peersync_V1_ForkNotice(space, fork)
        case .branchHeaders(let space, let headers):
            encoded.branchHeaders.spaceID = Data(space.bytes)
            encoded.branchHeaders.headers = headers.map { Data($0.bytes) }
        case .commits(let space, let commits, let live):
            encoded.commits = Peersync_V1_Commits(space, commits, live: live)
        case .ack(let ack): encoded.ack = Peersync_V1_SignedAck(ack)
        case .ackDifference(let difference):
            encoded.ackDifference = Peersync_V1_AckDifference(difference)
        case .ackWanted(let space, let device):
            encoded.ackWanted.spaceID = Data(space.bytes)
            encoded.ackWanted.device = Data(device.bytes)
        case .holdings(let holdings): encoded.holdings = Peersync_V1_SignedHoldings(holdings)
        case .heard(let heard): encoded.heard = Peersync_V1_Heard(heard)
        case .reach(let added, let removed):
            encoded.reach.added = added.map { Data($0.bytes) }
            encoded.reach.removed = removed.map { Data($0.bytes) }
        case .comparison(let comparison):
            encoded.comparison.digest = Data(comparison.digest.bytes)
            encoded.comparison.statements = comparison.statements
            encoded.comparison.answer = comparison.answer
        case .want(let want): encoded.want = Peersync_V1_Want(want)
        case .have(let have): encoded.have = Peersync_V1_Have(have)
        case .ping(let token): encoded.ping.token = token
        case .pong(let token): encoded.pong.token = token
        case .bye(let reason): encoded.bye.reason = wireEnum(reason)
        case .decline(let space, let grants):
            encoded.decline.spaceID = Data(space.bytes)
            encoded.decline.grants = grants.value
        case .condition(let condition): encoded.condition.diskFull = condition.isDiskFull
        case .taken, .recoveryRequest, .recoveryOffers, .recoveryStatements, .lossSum,
            .lossStatements:
            encoded.setRights(message)
        case .unknown: break
        }
        return encoded.serialized
    }

    /// Decodes a frame's payload; a message of a newer version is ``PeerMessage/unknown``.
    package func decode(_ payload: [UInt8]) throws(WireError) -> PeerMessage {
        guard payload.count <= Limits.frameBytes else { throw .tooLong("message") }
        let message = try Peersync_V1_Message(decoding: payload).message
        if let rights = try message?.decodedRights() { return rights }
        switch message {
        case .hello(let hello): return .hello(try hello.decoded())
        case .spaces(let spaces): return try spaces.decoded()
        case .watermark(let watermark): return try watermark.decoded()
        case .commits(let commits): return try commits.decoded()
        case .fork(let fork): return try fork.decoded()
        case .branchHeaders(let headers): return try headers.decoded()
        case .ack(let ack): return .ack(try ack.decoded())
        case .ackDifference(let difference): return .ackDifference(try difference.decoded())
        case .ackWanted(let wanted):
            return .ackWanted(
                try wanted.spaceID.identifier("ack_wanted.space_id"),
                try wanted.device.identifier("ack_wanted.device"))
        case .holdings(let holdings): return .holdings(try holdings.decoded())
        case .heard(let heard): return .heard(try heard.decoded())
        case .reach(let reach):
            return .reach(
                added: try reach.added.devices("reach.added"),
                removed: try reach.removed.devices("reach.removed"))
        case .comparison(let comparison):
            return .comparison(
                Comparison(
                    digest: try comparison.digest.bytes32("comparison.digest"),
                    statements: comparison.statements, answer: comparison.answer))
        case .want(let want): return .want(try want.decoded())
        case .have(let have): return .have(try have.decoded())
        case .ping(let ping): return .ping(token: ping.token)
        case .pong(let pong): return .pong(token: pong.token)
        case .bye(let bye): return .bye(coreEnum(bye.reason) ?? .other)
        case .decline(let decline):
            return .decline(
                try decline.spaceID.identifier("decline.space_id"),
                grants: GrantCount(decline.grants))
        case .condition(let condition):
            return .condition(Condition(isDiskFull: condition.diskFull))
        case .taken, .recoveryRequest, .recoveryOffers, .recoveryStatements, .lossStatements, nil:
            return .unknown
        }
    }
}
