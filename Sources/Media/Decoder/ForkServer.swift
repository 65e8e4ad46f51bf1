internal import CPlatform
internal import Glibc
internal import SyncCore

/// The process that forks one process for each picture of a batch.
///
/// Starting a process costs far more than decoding a small picture; forking a started one costs little. The
/// fork server itself never reads a byte of a picture: it receives open files and passes them on. Each
/// picture is decoded in a process with limits and a pipe of its own, so that a hostile picture cannot
/// affect another one.
///
/// Each request is one message on standard input: a byte of ``Mode`` with two open files, the picture and
/// the pipe for its ``DecoderReport``. A pipe that ends without a report means that decoding failed.
package enum ForkServer {
    package enum Mode: UInt8, Sendable {
        case read = 0
        /// The pixels are upright already, no matter what the EXIF block says.
        case readUpright = 1
    }

    /// Serves until the other end is closed and all forked processes have ended.
    static func run() -> Int32 {
        // With a second thread, a forked process could inherit a lock that is never released.
        guard peersync_hide_memory() == 0, warmUp(), hasOneThread else { return 1 }
        // The kernel reaps ended processes; their status is not needed.
        signal(SIGCHLD, SIG_IGN)
        while let request = Request.next() {
            let child = peersync_fork()
            // The forked process must not run this one's clean-up.
            if child == 0 { _exit(request.answer()) }
            // The parent notices a failed fork by the end of the pipe.
            request.close()
        }
        while wait(nil) > 0 || errno == EINTR {}
        return 0
    }

    private static var hasOneThread: Bool {
        var status = stat()
        // The directory has two links of its own, and one for each thread.
        return unsafe stat("/proc/self/task", &status) == 0 && status.st_nlink == 3
    }

    /// Decodes a sample picture, so that everything which is loaded on first use is there in each forked
    /// process, where no file can be opened any more.
    private static func warmUp() -> Bool {
        let size = PixelSize(width: 16, height: 16)
        let grey = PixelGrid(size: size, bytes: Array(repeating: 128, count: 16 * 16 * 3))
        guard let codec = try? JPEGCodec(),
            let picture = try? codec.encode(grey, quality: Limits.thumbnailQuality)
        else { return false }
        var report = DecoderChild.report(on: picture)
        report.takenAt = LocalTime(
            year: 2000, month: 1, day: 1, hour: 0, minute: 0, second: 0, utcOffsetMinutes: 0)
        report.position = MediaPosition(
            latitude: 0, longitude: 0, altitudeMetres: 0, radiusMetres: 0)
        report.orientation = .upright
        (report.camera, report.direction) = ("Camera", 0)
        return report.problem == nil && (try? report.encoded()) != nil
    }
}

private struct Request {
    let mode: ForkServer.Mode
    let picture: Int32
    let pipe: Int32

    /// Nil at the end, and for an invalid request.
    static func next() -> Request? {
        var files: (Int32, Int32) = (-1, -1)
        let word = unsafe withUnsafeMutablePointer(to: &files) { pair in
            unsafe pair.withMemoryRebound(to: Int32.self, capacity: 2) {
                unsafe peersync_receive_files(STDIN_FILENO, $0)
            }
        }
        guard let byte = UInt8(exactly: word), let mode = ForkServer.Mode(rawValue: byte) else {
            return nil
        }
        return Request(mode: mode, picture: files.0, pipe: files.1)
    }

    func close() {
        Glibc.close(picture)
        Glibc.close(pipe)
    }

    /// In the forked process: gives up everything except the picture and the pipe, and only then reads.
    func answer() -> Int32 {
        guard DecoderChild.limitTime(), dup2(picture, STDIN_FILENO) >= 0,
            dup2(pipe, STDOUT_FILENO) >= 0,
            peersync_close_from(UInt32(STDERR_FILENO)) == 0
        else { return 1 }
        let file = OpenFile(owning: STDIN_FILENO)
        do {
            let length = try file.status().length
            guard peersync_limit_system_calls() == 0 else { return 1 }
            let report = try DecoderChild.report(
                on: file, length: length, isUpright: mode == .readUpright)
            try OpenFile(owning: STDOUT_FILENO).writeStream(report.encoded())
            return 0
        } catch {
            return 1
        }
    }
}

extension OpenFile {
    /// Writes to a pipe, which has no offsets.
    fileprivate func writeStream(_ bytes: [UInt8]) throws(BlobFilesError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let put = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            guard put > 0 || errno == EINTR else { throw .ofLast("write") }
            rest = rest.dropFirst(max(0, put))
        }
    }
}
