import Device
import LocalAPI
package import Logging
import SyncCore
internal import Synchronization
import Transport
internal import Wire

/// What the log says of connections between two agents: one line for each thing that happens.
final class SessionLog: Sendable {
    private let logger: Logger
    private let errors: PeerErrorLog
    private let clock: AgentClock
    /// What had been moved with a device when the log last said that both hold the same.
    private let told = Mutex<[DeviceID: OpenConnections.Moved]>([:])

    init(_ errors: PeerErrorLog, _ clock: AgentClock) {
        self.errors = errors
        logger = errors.logger
        self.clock = clock
    }

    /// How a connection ended.
    struct End: Sendable {
        /// Nil when it never said who it is.
        var peer: PeerInfo?
        var why: Logger.Metadata
        /// The other side did what no agent does.
        var isFault = false
        /// It sent what no agent sends by mistake.
        var isMisbehaviour = false
        /// This side ended it, having others enough.
        var isLetGo = false
        /// What it was, in the words of status.
        var error: CallError?
        /// Why the other side wants no session with this device, or this one none with it.
        var refusal: ByeReason?
        /// Whether only a newer program understands the other side, or this one; nil when neither is known.
        var isNewerThere: Bool?

        static func refused(_ reason: ByeReason) -> End {
            let kind: TroubleKind = reason == .version ? .refused : .peerTrouble
            return End(
                why: ["why": "\(reason)", "kind": "\(kind.rawValue)"],
                isFault: reason != .notTrusted, error: .broken,
                refusal: reason == .version ? reason : nil)
        }

        /// It sent what only a newer program reads: nobody has done wrong.
        static func unreadable(_ error: WireError, _ peer: PeerInfo?) -> End {
            var end = End.refused(.version)
            end.peer = peer
            end.why["why"] = "\(error)"
            end.isNewerThere = true
            return end
        }

        /// The other side said goodbye.
        static func goodbye(_ reason: ByeReason, _ peer: PeerInfo) -> End {
            var end = End(peer: peer, why: ["why": "peer: \(reason)"])
            switch reason {
            case .notTrusted:
                end.refusal = reason
                end.why["kind"] = "\(TroubleKind.notTrusted.rawValue)"
            case .version:
                end.refusal = reason
                end.isNewerThere = false
                end.why["kind"] = "\(TroubleKind.refused.rawValue)"
            default: break
            }
            return end
        }

        static let twin = End(why: ["why": "another connection stays"])

        static func failed(_ error: any Error, _ peer: PeerInfo? = nil) -> End {
            if let error = error as? WireError, error.isOfNewerVersion {
                return unreadable(error, peer)
            }
            // What is no message, or no card that holds, has errors of its own.
            let isFault =
                (error as? TransportError)?.isPeersFault ?? !(error is CancellationError)
            var why = Logger.Metadata.trouble(error)
            if isFault { why["kind"] = "\(TroubleKind.peerTrouble.rawValue)" }
            let transport = error as? TransportError
            let isViolation =
                if case .protocolViolation = transport { true } else { error is WireError }
            return End(
                peer: peer, why: why, isFault: isFault, isMisbehaviour: isViolation,
                error: transport.map { CallError($0) } ?? .broken,
                refusal: transport == .notTrustedByPeer ? .notTrusted : nil)
        }
    }

    func opened(_ connection: Connection) {
        logger.note(
            .info, .session, "opened",
            details: [
                "connection": "\(connection.id)", "address": "\(connection.remoteAddress)",
                "dialed": "\(connection.isDialed)",
            ])
    }

    func authenticated(_ hello: Hello, _ peer: PeerInfo, _ connection: Connection) {
        let skew = Int64(hello.wallClock.value) - Int64(clock.wall.value)
        logger.note(
            .info, .session, "authenticated", device: peer.device, person: peer.person,
            details: [
                "connection": "\(connection.id)", "purpose": "\(hello.purpose)",
                "version": "\(hello.agentVersion.prefix(Limits.loggedVersionCharacters))",
                "skew_ms": "\(skew)",
            ])
    }

    /// The first comparison of a session; further ones come every half minute, and say little.
    func compared(_ connection: Connection, _ peer: PeerInfo, spaces: Int, isFirst: Bool) {
        logger.note(
            isFirst ? .info : .verbose, .session, "compared", device: peer.device,
            details: ["connection": "\(connection.id)", "spaces": "\(spaces)"])
    }

    /// Both hold the same now. Of interest when something had to be moved for it.
    /// Returns whether something was exchanged since the last time.
    func synced(_ device: DeviceID, moved: OpenConnections.Moved) -> Bool {
        let before = told.withLock { told in
            defer { told[device] = moved }
            return told[device]
        }
        let change = moved.since(before ?? OpenConnections.Moved())
        logger.note(
            before != nil && !change.hasExchanged ? .verbose : .info, .session, "synced",
            device: device, details: change.logged)
        return change.hasExchanged
    }

    func came(_ chunk: ChunkPayload, from peer: PeerInfo) {
        logger.note(
            .debug, .files, "chunk came", device: peer.device,
            details: ["index": "\(chunk.index)", "bytes": "\(chunk.data.count)"])
    }

    func closed(_ connection: Connection, _ end: End, after milliseconds: UInt64) {
        var details = end.why
        details["connection"] = "\(connection.id)"
        details["milliseconds"] = "\(milliseconds)"
        if end.peer == nil { details["address"] = "\(connection.remoteAddress)" }
        if end.isFault {
            errors.note(DeviceID(sha256(connection.peerKey.bytes)), "\(end.why["why"] ?? "")")
        }
        logger.note(.info, .session, "closed", device: end.peer?.device, details: details)
    }
}

extension Logger.Level {
    static var verbose: Logger.Level { .trace }
}

extension OpenConnections.Moved {
    package func since(_ before: OpenConnections.Moved) -> OpenConnections.Moved {
        var moved = OpenConnections.Moved()
        moved.commitsSent = commitsSent - before.commitsSent
        moved.commitsReceived = commitsReceived - before.commitsReceived
        moved.filesSent = filesSent - before.filesSent
        moved.filesReceived = filesReceived - before.filesReceived
        moved.bytesSent = bytesSent - before.bytesSent
        moved.bytesReceived = bytesReceived - before.bytesReceived
        moved.wireSent = wireSent - before.wireSent
        moved.wireReceived = wireReceived - before.wireReceived
        moved.errors = errors - before.errors
        return moved
    }

    /// More than questions and answers.
    package var hasExchanged: Bool {
        commitsSent > 0 || commitsReceived > 0 || bytesSent > 0 || bytesReceived > 0
    }

    package var logged: Logger.Metadata {
        [
            "changes_sent": "\(commitsSent)", "changes_received": "\(commitsReceived)",
            "files_sent": "\(filesSent)", "files_received": "\(filesReceived)",
            "bytes_sent": "\(bytesSent)", "bytes_received": "\(bytesReceived)",
        ]
    }
}

extension Limits {
    /// Characters of the version a peer claims that the log shows.
    package static let loggedVersionCharacters = 32
}
