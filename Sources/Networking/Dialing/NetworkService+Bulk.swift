import Device
internal import Logging
import Node
import SyncCore
import Transport

/// Connections for blobs beside sessions.
extension NetworkService {
    /// Keeps one connection for blobs beside a session, as long as the task is not cancelled.
    static func keepBulk(
        to device: DeviceID, _ key: Bytes32, at address: HostPort, _ dependencies: Dependencies
    ) async {
        let dialer = Dialer(dependencies.endpoint)
        var pause = Limits.bulkPauseMilliseconds
        while !Task.isCancelled {
            do {
                // The session says hello first; one that is closed as a duplicate needs no bulk.
                try await Task.sleep(for: .milliseconds(pause))
                guard dependencies.sessions.open.isDialing(device) else { continue }
                let start = dependencies.clock.now.monotonic
                // Each one that ends at once makes the next one later.
                pause = min(2 * pause, Limits.bulkPauseCapMilliseconds)
                let connection = try await dialer.connect(
                    host: address.host, port: address.port, protocol: .session,
                    timeout: .seconds(Limits.dialSeconds), expecting: key)
                await dependencies.sessions.serve(connection, purpose: .bulk)
                let end = dependencies.clock.now.monotonic
                if end >= start + Limits.usefulSessionMilliseconds {
                    pause = Limits.bulkPauseMilliseconds
                }
            } catch {
                dependencies.logger.note(
                    .debug, .files, "call failed", device: device, details: .trouble(error))
            }
        }
    }
}

extension Limits {
    /// Before a connection for blobs is opened, or opened again.
    package static let bulkPauseMilliseconds = 50
    /// Files wait for it once a network that lost much is well again.
    package static let bulkPauseCapMilliseconds = 5_000
}
