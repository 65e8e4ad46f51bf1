internal import Dispatch
internal import Glibc
package import Logging
internal import SyncCore

/// What became of this machine's network; the addresses are those it has now.
package enum NetworkChange: Hashable, Sendable {
    /// There is a network again, after there was none.
    case returned([NetworkAddress])
    /// An address came or went: another network, a second one, a new lease.
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

/// Tells when the network comes, changes or goes, from the kernel's notices (rtnetlink(7)).
/// It sleeps until there is one.
package final class NetworkMonitor: Sendable {
    /// What happens from now on, half a second after it did, for one reader. Of a reader who does
    /// not keep up only the newest 16 wait. Ends with ``stop()``.
    package let changes: AsyncStream<NetworkChange>
    private let continuation: AsyncStream<NetworkChange>.Continuation
    private let queue = DispatchQueue(label: "peersync.network")
    /// Unsafe only to the compiler: Dispatch lets every thread cancel a source, all that is done.
    nonisolated(unsafe) private let source: (any DispatchSourceRead)?

    /// Without kernel notices, in some sandboxes, the stream stays silent and the log says so.
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
/// Unchecked: only ever used on its queue, by the source's handler and by what that schedules.
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

    /// What the notices say is not read: the list of addresses is the truth, and an overflowing
    /// socket (ENOBUFS) loses nothing this way.
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
