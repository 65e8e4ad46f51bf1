internal import CPlatform
internal import Glibc
internal import SyncCore
internal import Synchronization

/// Has the pictures of one batch decoded, each by a process that ``ForkServer`` forks for it.
///
/// What such a process says is checked like any other external input. After a picture that was not
/// answered the next one gets a new server.
final class PictureDecoder: Sendable {
    private struct Server: Sendable {
        /// Our end of the socket: the server ends once it is closed.
        let requests: OpenFile
        let running: Task<Void, Never>
    }

    private struct Servers {
        var current: Server?
        /// Servers that get no more pictures; one may still be at work for another picture.
        var retired: [Task<Void, Never>] = []
    }

    private let child: ChildProgram
    private let timeout: Duration
    private let servers = Mutex(Servers())

    init(_ child: ChildProgram, timeout: Duration) {
        (self.child, self.timeout) = (child, timeout)
    }

    /// What a JPEG file says of itself; when the task is cancelled, that nothing was found out.
    func report(on picture: OpenFile, _ mode: ForkServer.Mode) async -> DecoderReport {
        await withTaskCancellationHandler {
            do {
                let server = try server()
                // Cancelled before that, nobody else would end it.
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

    /// Hands a picture over; returns the end of the pipe on which the report comes.
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
    /// The ends of a new pipe: the one that is read, and the one that is written.
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

    /// Reads a pipe to its end, or until so many bytes have come; nil when neither happened in time.
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
