package import Device
internal import Dispatch
package import Files
internal import Glibc
import LocalAPI
package import Networking
package import SyncCore

/// Compares what this device and the connected ones lack of each other whenever that may have
/// changed, at most a few times a second, for all tasks that wait for it.
package final class ExchangeWatch: Sendable {
    package struct Picture: Sendable {
        /// Increases with every change.
        package var revision = 0
        package var exchange = Exchange()
        var moved: [DeviceID: OpenConnections.Moved] = [:]
        /// Bytes of files per second, over the last seconds.
        var sending: [DeviceID: Int64] = [:]
        var receiving: [DeviceID: Int64] = [:]

        var filesLeft: Int {
            let going = exchange.peers.values.reduce(0) { $0 + $1.toSend.count }
            return Int(clamping: exchange.coming.count + going)
        }
        var bytesLeft: Int64 {
            let going = exchange.peers.values.reduce(0) { $0 + $1.toSend.bytes }
            return Int64(clamping: exchange.coming.bytes + going)
        }
    }

    /// Finds those of the files which a device lacks that nobody waits for.
    package typealias Unneeded =
        @Sendable (SpaceID, Exchange.Lacking) -> (listed: [NamedBlob], unlisted: Int)

    package let picture = Observable(Picture())
    private let loop: EngineLoop
    private let open: OpenConnections
    private let going: OutgoingFiles
    private let clock: AgentClock
    private let unneeded: Unneeded
    let runs: SyncRunRecorder

    package init(
        loop: EngineLoop, open: OpenConnections, going: OutgoingFiles, clock: AgentClock,
        runs: SyncRunRecorder, unneeded: @escaping Unneeded
    ) {
        (self.loop, self.open, self.going, self.clock) = (loop, open, going, clock)
        (self.runs, self.unneeded) = (runs, unneeded)
    }

    /// Runs until the task is cancelled.
    package func run() async {
        var rates: [DeviceID: (sent: RateWindow, received: RateWindow)] = [:]
        var noticed = clock.now
        do {
            while true {
                let turn = loop.turns.value
                let (isMoving, cost) = ThreadTime.measure { look(&rates, noticed) }
                // With very many files a comparison takes long: the engine has other work, too.
                try await Task.sleep(
                    for: max(.milliseconds(LocalLimits.progressMilliseconds), cost * 20))
                let isWaiting = loop.turns.value == turn
                noticed = clock.now
                // A rate also falls while nothing happens.
                _ = try await loop.turns.first(
                    within: .seconds(isMoving ? 1 : Limits.idleLookSeconds)
                ) { $0 == turn ? nil : true }
                if isWaiting { noticed = clock.now }
            }
        } catch {
            // The agent is ending.
        }
    }

    /// Answers all waiting tasks: the network is going away.
    package func wakeAll() {
        picture.update { $0.revision += 1 }
    }

    /// Before the network goes away: returns when connected peers have all that they lack of this device,
    /// when nothing has moved for a moment, or when it has taken long enough.
    package func sendRest() async {
        let began = clock.now.monotonic
        // The last write may still be on its way to the engine, and a peer asks for files a moment after the
        // change that names them.
        var (moved, still) = (open.moved, began)
        var isQuiet = open.connected.isEmpty
        while clock.now.monotonic - began < Limits.stoppingMilliseconds {
            let isOwing = look().peers.values.contains(where: \.isLackingThere)
            if isQuiet, !isOwing { return }
            await ExchangeWatch.pause()
            let now = clock.now.monotonic
            if open.moved != moved { (moved, still) = (open.moved, now) }
            if now - still >= Limits.stoppingStillMilliseconds { return }
            isQuiet = now - still >= Limits.stoppingQuietMilliseconds
        }
    }

    /// Before the network goes away: records the syncs since the last look, which was too early for those of a
    /// command. A sync that is not at its end is recorded as incomplete.
    package func recordRest() {
        let moved = open.moved
        guard !moved.isEmpty else { return }
        for exchange in [look(), Exchange()] {
            runs.record(exchange, moved, noticed: clock.now, now: clock.now)
        }
    }

    /// A thread sleeps, not a task: the end of a program must not wait for a timer whose clock may be faked.
    private static func pause() async {
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                _ = usleep(UInt32(Limits.stoppingLookMilliseconds * 1000))
                done.resume()
            }
        }
    }

    /// What is lacking now.
    func look() -> Exchange {
        var exchange = loop.inspect { $0.exchange }
        exchange.leaveOut(unneeded: unneeded)
        let lacking = exchange.peers.mapValues { peer in
            peer.lacking.values.reduce(into: Set()) { $0.formUnion($1.listed) }
        }
        for (device, bytes) in going.partlySent(of: lacking) {
            let lacking = exchange.peers[device]?.toSend.bytes ?? 0
            exchange.peers[device]?.toSend.bytes = lacking - min(bytes, lacking)
        }
        return exchange
    }

    /// Whether anything was transferred recently.
    private func look(
        _ rates: inout [DeviceID: (sent: RateWindow, received: RateWindow)], _ noticed: Instant
    ) -> Bool {
        let exchange = look()
        let moved = open.moved
        runs.record(exchange, moved, noticed: noticed, now: clock.now)
        let now = clock.now.monotonic
        var sending: [DeviceID: Int64] = [:]
        var receiving: [DeviceID: Int64] = [:]
        for (device, moved) in moved {
            rates[device, default: (RateWindow(), RateWindow())].sent
                .note(moved.bytesSent, at: now)
            rates[device]?.received.note(moved.bytesReceived, at: now)
            sending[device] = rates[device]?.sent.bytesPerSecond(at: now)
            receiving[device] = rates[device]?.received.bytesPerSecond(at: now)
        }
        let before = picture.value
        let isNew =
            before.exchange != exchange
            || moved.contains { $1.since(before.moved[$0] ?? .init()).hasExchanged }
            || before.sending != sending
            || before.receiving != receiving
        if isNew {
            let new = Picture(
                revision: before.revision + 1, exchange: exchange, moved: moved, sending: sending,
                receiving: receiving)
            picture.update { $0 = new }
        }
        return !sending.isEmpty || !receiving.isEmpty
    }
}

extension Limits {
    /// How long a program that is told to end goes on sending.
    static let stoppingMilliseconds: UInt64 = 5_000
    /// How often it looks what is still lacking.
    static let stoppingLookMilliseconds: UInt64 = 50
    /// How long nothing has to move before nothing more is expected.
    static let stoppingQuietMilliseconds: UInt64 = 300
    /// The same where a peer lacks something: it may have no room.
    static let stoppingStillMilliseconds: UInt64 = 2_000
    /// A look at what is lacking although no event asked for it.
    package static let idleLookSeconds = 3_600
}
