package import Device
import LocalAPI
package import Networking
import Node
package import Status
import Store
import SyncCore

/// Keeps the service manager informed while the agent runs: one line for people, and the watchdog
/// message.
package struct ServiceReporter: Sendable {
    private let notifier: ServiceNotifier
    private let node: AgentNode
    private let network: NetworkService
    private let picture: Observable<ExchangeWatch.Picture>

    package init(
        _ notifier: ServiceNotifier, _ node: AgentNode, _ network: NetworkService,
        _ picture: Observable<ExchangeWatch.Picture>
    ) {
        (self.notifier, self.node, self.network) = (notifier, node, network)
        self.picture = picture
    }

    /// The agent listens for local commands and, unless sync is off, to the network.
    func ready() async {
        var lines = ["READY=1"]
        if let watchdog = notifier.watchdog { lines.append(Self.watchdog(watchdog)) }
        let message = lines.joined(separator: "\n")
        do {
            // Without this message the start would fail in the end.
            while !notifier.send(message) {
                try await Task.sleep(for: .milliseconds(Limits.serviceRetryMilliseconds))
            }
        } catch {
            // The agent is ending.
        }
    }

    /// The agent is ending. With a reason another one starts: rebuilding a store takes long in a large home
    /// and is not a hang.
    func ending(for reason: RestartPolicy.Reason?) {
        guard let reason else {
            notifier.send(
                "STOPPING=1", "STATUS=\(tr("Stopping: changes under way are being stored."))")
            return
        }
        let text =
            switch reason {
            case .damaged: tr("The damaged store is being made again.")
            case .roomReturned: tr("The disk has room again: the agent starts again.")
            }
        notifier.send(
            "STATUS=\(text)", Self.watchdog(.seconds(Limits.serviceRebuildSeconds)))
    }

    private static func watchdog(_ limit: Duration) -> String {
        "WATCHDOG_USEC=\(Int64(limit / .microseconds(1)))"
    }

    /// Runs until the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await feedWatchdog() }
            group.addTask { await keepStatus() }
        }
    }

    /// Sends two messages per watchdog period, and only if engine and local server have answered:
    /// an agent in which one of them hangs is restarted.
    private func feedWatchdog() async {
        guard let limit = notifier.watchdog else { return }
        let client = LocalClient(socketPath: node.home.socketPath)
        do {
            while true {
                await node.loop.answer()
                let isFed = await answers(client) && notifier.send("WATCHDOG=1")
                try await Task.sleep(for: isFed ? limit / 2 : limit / 8)
            }
        } catch {
            // The agent is ending.
        }
    }

    private func answers(_ client: LocalClient) async -> Bool {
        do {
            _ = try await client.call(\.agent.info)
            return true
        } catch {
            return false
        }
    }

    /// Updates the line after each transfer between devices, and once a minute for the other facts
    /// in it.
    private func keepStatus() async {
        var told: String?
        do {
            while true {
                let revision = picture.value.revision
                let line = await status(picture.value.exchange)
                if line != told, notifier.send("STATUS=\(line)") { told = line }
                try await Task.sleep(for: .seconds(Limits.serviceStatusSeconds))
                _ = try await picture.first(within: .seconds(Limits.serviceLookSeconds)) {
                    $0.revision == revision ? nil : true
                }
            }
        } catch {
            // The agent is ending.
        }
    }

    private func status(_ exchange: Exchange) async -> String {
        if node.store.isOpenedForReading { return Sentence.Problem.readOnly.sentence }
        if let fault = node.storage.fault { return fault.sentence }
        if node.storage.isFull { return APIError.diskFull.sentence }
        guard await network.isOn else {
            return tr("Sync is off: nothing listens, nothing is sent.")
        }
        let peers = exchange.peers.values
        return connected(
            peers.count, inSync: peers.count { $0.isEqual },
            port: await network.port.map(Int.init))
    }
}

extension Limits {
    /// Shortest time between two lines for people: nobody reads faster.
    static let serviceStatusSeconds = 1
    /// Time between two checks of facts that change without a transfer, such as a full disk.
    static let serviceLookSeconds = 60
    /// Time until the manager is told again that the agent is ready.
    static let serviceRetryMilliseconds = 100
    /// Time for rebuilding a store; after it, the agent counts as hanging.
    static let serviceRebuildSeconds = 3_600
}

/// `port` is nil while nothing listens.
private func connected(_ devices: Int, inSync: Int, port: Int?) -> String {
    let place = port.map { tr("Listening on port \($0)") } ?? tr("Running")
    guard devices > 0 else { return tr("\(place), no other device connected.") }
    let sync =
        inSync == devices
        ? (devices == 1 ? tr("in sync") : tr("all in sync"))
        : (devices == 1 ? tr("not in sync yet") : tr("\(inSync) of them in sync"))
    return tr("\(place), \(Sentence.count(devices, "device", "devices")) connected, \(sync).")
}
