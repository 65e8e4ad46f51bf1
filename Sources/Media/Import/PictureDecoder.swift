internal import CPlatform
internal import Glibc
internal import SyncCore
internal import Synchronization

/// Decodes the pictures of one batch, each in a process that ``ForkServer`` forks for it.
///
/// Reports are checked like any other external input. After a picture without a valid answer, the next one
/// gets a new server.
final class PictureDecoder: Sendable {
    private struct Server: Sendable {
        /// Our end of the socket; the server ends when it is closed.
        let requests: OpenFile
        let running: Task<Void, Never>
    }

    private struct Servers {
        var current: Server?
        /// Servers that get no more pictures; they may still be decoding one.
        var retired: [Task<Void, Never>] = []
    }

    private let child: ChildProgram
    private let timeout: Duration
    private let servers = Mutex(Servers())

    init(_ child: ChildProgram, timeout: Duration) {
        (self.child, self.timeout) = (child, timeout)
    }

    /// The report on a JPEG file; an empty one with a problem when the task is cancelled.
    func report(on picture: OpenFile, _ mode: ForkServer.Mode) async -> DecoderReport {
        await withTaskCancellationHandler {
            do {
                let server = try server()
                // A server started after the cancellation would not be stopped by it.
                try Task.checkCancellation()
                let answer = try PictureDecoder.request(mode, picture, from: server.requests)
                let deadline = ContinuousClock.now + timeout
                let bytes = try await DiskWork.run { () throws(BlobFilesError) in
                    try answer.readStream(
                        atMost: DecoderReport.maximumBytes + 1, until: deadline)
                }
                if let bytes, let report = DecoderReport(decoding: bytes) { return report }
                retire(server)
                return .failed(bytes == nil ? .timedOut : .decoderFailed)
            } catch {
                retire(servers.withLock { $0.current })
                return .failed(.decoderFailed)
            }
        } onCancel: {
            stop()
        }
    }

    /// Ends every process; call it when no picture is being decoded.
    func finish() async {
        stop()
        for running in servers.withLock({ $0.retired }) { await running.value }
    }

    private func server() throws -> Server {
        try servers.withLock { servers in
            if let current = servers.current { return current }
            let (ours, theirs) = try OpenFile.sockets()
            let server = Server(
                requests: ours, running: Task { [child] in await child.serve(theirs) })
            servers.current = server
            return server
        }
    }

    private func retire(_ server: Server?) {
        servers.withLock { servers in
            guard let server, servers.current?.requests === server.requests else { return }
            servers.retired.append(server.running)
            servers.current = nil
        }
    }

    private func stop() {
        retire(servers.withLock { $0.current })
        for running in servers.withLock({ $0.retired }) { running.cancel() }
    }

    /// Sends a picture to the server; returns the reading end of the pipe for its report.
    private static func request(
        _ mode: ForkServer.Mode, _ picture: OpenFile, from requests: OpenFile
    ) throws(BlobFilesError) -> OpenFile {
        let (answer, report) = try OpenFile.pipe()
        let sent = peersync_send_files(
            requests.descriptor, mode.rawValue, picture.descriptor, report.descriptor)
        guard sent == 0 else { throw .ofLast("sendmsg") }
        return answer
    }
}

extension OpenFile {
    /// The reading end and the writing end of a new pipe.
    fileprivate static func pipe() throws(BlobFilesError) -> (OpenFile, OpenFile) {
        var ends: [Int32] = [-1, -1]
        guard unsafe peersync_pipe(&ends) == 0 else { throw .ofLast("pipe2") }
        return (OpenFile(owning: ends[0]), OpenFile(owning: ends[1]))
    }

    fileprivate static func sockets() throws(BlobFilesError) -> (OpenFile, OpenFile) {
        var ends: [Int32] = [-1, -1]
        guard unsafe peersync_socket_pair(&ends) == 0 else { throw .ofLast("socketpair") }
        return (OpenFile(owning: ends[0]), OpenFile(owning: ends[1]))
    }

    /// Reads a pipe to its end, or up to `limit` bytes; nil when neither happened before the deadline.
    fileprivate func readStream(
        atMost limit: Int, until deadline: ContinuousClock.Instant
    ) throws(BlobFilesError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count < limit {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return nil }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&waiting, 1, Int32(clamping: Int(left / .milliseconds(1)) + 1))
            guard ready != 0 else { continue }
            let got = unsafe piece.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress, min($0.count, limit - bytes.count))
            }
            if got == 0 { break }
            guard got > 0 || errno == EINTR else { throw .ofLast("read") }
            bytes += piece.prefix(max(0, got))
        }
        return bytes
    }
}

extension DecoderReport {
    static func failed(_ problem: MediaProblem) -> DecoderReport {
        var report = DecoderReport()
        report.problem = problem
        return report
    }
}
