package import Logging
internal import SyncCore
internal import Synchronization

/// Logs one line for each error of a peer. If a peer makes too many, further ones are only counted,
/// and a later line gives their number.
package final class PeerErrorLog: Sendable {
    private struct Account {
        /// The lines it may still write at once, and the time of that number.
        var lines = Double(Limits.peerErrorLines)
        var since: ContinuousClock.Instant
        var unsaid = 0

        mutating func refill(at now: ContinuousClock.Instant) {
            let gained = (now - since) / .seconds(Limits.peerErrorSeconds)
            lines = min(lines + gained, Double(Limits.peerErrorLines))
            since = now
        }
    }

    /// Each kind of event has its own accounts, so that only errors of one kind are added up.
    private struct Name: Hashable, Comparable {
        let event: String
        let peer: String

        static func < (left: Name, right: Name) -> Bool {
            (left.event, left.peer) < (right.event, right.peer)
        }
    }

    private struct Line {
        let name: Name
        let why: String
        /// The errors without a line of their own.
        let unsaid: Int
    }

    /// The shared account of all peers without their own.
    private static let others = "others"

    package let logger: Logger
    private let accounts = Mutex<[Name: Account]>([:])

    package init(logger: Logger) { self.logger = logger }

    /// - Parameters:
    ///   - peer: An address without its port, or a device's id.
    ///   - why: The error in the program's own words: no text from a peer.
    ///   - event: The kind of line; each kind is counted separately.
    ///   - now: When it happened.
    package func note(
        _ peer: String, _ why: String, as event: String = "peer error",
        at now: ContinuousClock.Instant = .now
    ) {
        let lines = accounts.withLock { accounts in
            var name = Name(event: event, peer: peer)
            if accounts[name] == nil, accounts.count >= Limits.peerErrorAccounts {
                name = Name(event: event, peer: Self.others)
            }
            var account = accounts[name] ?? Account(since: now)
            account.refill(at: now)
            guard account.lines >= 1 else {
                account.unsaid += 1
                accounts[name] = account
                return [Line]()
            }
            account.lines -= 1
            let line = Line(name: name, why: why, unsaid: account.unsaid)
            account.unsaid = 0
            accounts[name] = account
            return [line] + Self.settle(&accounts, at: now)
        }
        write(lines)
    }

    /// Logs the errors that were only counted so far.
    package func flush() {
        let lines = accounts.withLock { accounts in
            let lines = Self.unsaid(in: accounts)
            accounts = [:]
            return lines
        }
        write(lines)
    }

    /// Removes peers that have been quiet for long, with a last line for errors that were only
    /// counted.
    private static func settle(
        _ accounts: inout [Name: Account], at now: ContinuousClock.Instant
    ) -> [Line] {
        let full = Double(Limits.peerErrorLines)
        var quiet: [Name: Account] = [:]
        for (name, account) in accounts {
            var later = account
            later.refill(at: now)
            if later.lines >= full { quiet[name] = account }
        }
        for name in quiet.keys { accounts[name] = nil }
        return unsaid(in: quiet)
    }

    private static func unsaid(in accounts: [Name: Account]) -> [Line] {
        accounts.filter { $0.value.unsaid > 0 }.sorted { $0.key < $1.key }
            .map { Line(name: $0.key, why: "not said", unsaid: $0.value.unsaid - 1) }
    }

    private func write(_ lines: [Line]) {
        for line in lines {
            let why = String(decoding: line.why.utf8.prefix(Limits.peerErrorBytes), as: UTF8.self)
            var details: Logger.Metadata = ["peer": "\(line.name.peer)", "why": "\(why)"]
            if line.unsaid > 0 { details["unsaid"] = "\(line.unsaid)" }
            logger.info(
                "\(line.name.event)", metadata: ["phase": "peer", "details": .dictionary(details)])
        }
    }
}
