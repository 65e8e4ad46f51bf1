internal import Dispatch
internal import Glibc
package import Logging
internal import SyncCore

/// A change of this machine's network, with its current addresses.
package enum NetworkChange: Hashable, Sendable {
    /// There is a network again.
    case returned([NetworkAddress])
    /// An address was added or removed: another network, a second one, a new lease.
    case changed([NetworkAddress])
    /// No interface is connected any more.
    case gone

    package var addresses: [NetworkAddress] {
        switch self {
        case .returned(let addresses), .changed(let addresses): addresses
        case .gone: []
        }
    }
}

/// Reports when the network appears, changes or disappears, from the kernel's notices
/// (rtnetlink(7)). It sleeps between notices.
package final class NetworkMonitor: Sendable {
    /// Network changes, debounced by 0.5 s, for a single consumer. If the consumer does not keep
    /// up, only the newest 16 are kept. Ends with ``stop()``.
    package let changes: AsyncStream<NetworkChange>
    private let continuation: AsyncStream<NetworkChange>.Continuation
    private let queue = DispatchQueue(label: "peersync.network")
    /// Unsafe only to the compiler: Dispatch lets every thread cancel a source, which is the only
    /// use.
    nonisolated(unsafe) private let source: (any DispatchSourceRead)?

    /// Without kernel notices, as in some sandboxes, the stream stays silent and the log says so.
    package init(logger: Logger) {
        (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        guard let file = NetlinkSocket.open() else {
            logger.warning(
                "no notices of network changes",
                metadata: ["phase": "discovery", "details": ["errno": "\(errno)"]])
            unsafe source = nil
            return
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: file, queue: queue)
        let debounce = Debounce(
            file: file, queue: queue, addresses: NetworkAddress.current(),
            report: { [continuation] in _ = continuation.yield($0) })
        source.setEventHandler { debounce.notice() }
        source.setCancelHandler { _ = close(file) }
        unsafe self.source = source
        source.activate()
    }

    package func stop() {
        unsafe source?.cancel()
        continuation.finish()
    }

    deinit {
        stop()
    }
}

/// Collects the several notices that one change brings.
///
/// Unchecked: used only on its queue, by the source's handler and the work that it schedules.
private final class Debounce: @unchecked Sendable {
    private let file: Int32
    private let queue: DispatchQueue
    private let report: @Sendable (NetworkChange) -> Void
    private var addresses: [NetworkAddress]
    private var isWaiting = false

    init(
        file: Int32, queue: DispatchQueue, addresses: [NetworkAddress],
        report: @escaping @Sendable (NetworkChange) -> Void
    ) {
        (self.file, self.queue, self.addresses, self.report) = (file, queue, addresses, report)
    }

    func notice() {
        drain()
        guard !isWaiting else { return }
        isWaiting = true
        queue.asyncAfter(deadline: .now() + .milliseconds(Limits.networkSettleMilliseconds)) {
            self.isWaiting = false
            self.compare()
        }
    }

    /// The content of the notices is ignored: the list of addresses is the truth, and so an
    /// overflowing socket (ENOBUFS) loses nothing.
    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 8192)
        while unsafe recv(file, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
    }

    private func compare() {
        let now = NetworkAddress.current()
        guard now != addresses else { return }
        if now.isEmpty {
            report(.gone)
        } else {
            report(addresses.isEmpty ? .returned(now) : .changed(now))
        }
        addresses = now
    }
}
