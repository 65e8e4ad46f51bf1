internal import CPlatform
internal import Glibc
internal import SyncCore

/// The processes that decode pictures: this program, started again with a hidden argument, under tight
/// limits.
///
/// ```
/// peersync decode-media serve                  forks a process for each picture, see ForkServer
/// peersync decode-media convert PATH OUTPUT    becomes heif-convert, which writes a JPEG
/// ```
package enum DecoderChild {
    /// The first argument of the program when it is to be a decoder child.
    package static let argument = "decode-media"
    /// The second argument.
    static let serving = "serve"
    static let converting = "convert"

    /// Does the child's work and returns the exit code: 0 done (also for a damaged picture), 1 failed, 64
    /// wrong arguments, 127 no converter. `arguments` are those after ``argument``.
    package static func run(_ arguments: [String]) -> Int32 {
        guard confine() else { return 1 }
        if arguments == [serving] { return ForkServer.run() }
        if arguments.count == 3, arguments[0] == converting {
            guard limitTime() else { return 1 }
            return convert(arguments[1], to: arguments[2])
        }
        return 64
    }

    /// Gives up everything that decoding does not need. Forked processes and the converter inherit the
    /// limits.
    private static func confine() -> Bool {
        peersync_close_from(3) == 0 && peersync_limit_core(0) == 0
            && peersync_limit_memory(Limits.decoderMemoryBytes) == 0
            && peersync_limit_files(Limits.decoderFiles) == 0
            && peersync_limit_file_size(Limits.decoderFileBytes) == 0
            && peersync_no_new_privileges() == 0
    }

    /// Limits the time for one picture. Called before a byte of it is read.
    static func limitTime() -> Bool {
        // The alarm ends an orphan even where the parent's death goes unnoticed.
        alarm(UInt32(Limits.decoderSeconds))
        return peersync_limit_processor(Limits.decoderProcessorSeconds) == 0
            && peersync_die_with_parent() == 0
    }

    /// A report on an open file of this length.
    static func report(
        on file: OpenFile, length: UInt64, isUpright: Bool
    ) throws(BlobFilesError) -> DecoderReport {
        guard length <= Limits.imageBytes else {
            var report = DecoderReport()
            report.problem = .tooLarge
            return report
        }
        return report(on: try file.read(at: 0, count: Int(length)), isUpright: isUpright)
    }

    /// The facts and the thumbnail of a picture; `isUpright` says that its pixels are upright already. Only
    /// the child and tests call it: it trusts libraries with hostile bytes.
    package static func report(on bytes: [UInt8], isUpright: Bool = false) -> DecoderReport {
        var report = DecoderReport()
        do {
            let exif = ExifFacts(jpeg: bytes)
            report.takenAt = exif.takenAt
            report.position = exif.position
            report.orientation = isUpright ? nil : exif.orientation
            (report.camera, report.direction) = (exif.camera, exif.direction)
            try draw(bytes, into: &report)
        } catch JPEGCodec.Failure.damaged {
            report.problem = .damaged
        } catch JPEGCodec.Failure.tooLarge {
            report.problem = .tooLarge
        } catch JPEGCodec.Failure.unsupportedColours {
            report.problem = .noDecoder(format: "CMYK JPEG")
        } catch {
            report.problem = .decoderFailed
        }
        return report
    }

    private static func draw(
        _ bytes: [UInt8], into report: inout DecoderReport
    ) throws(JPEGCodec.Failure) {
        let codec = try JPEGCodec()
        let size = try codec.size(of: bytes)
        report.pixelSize = size
        let decoded = try codec.decode(bytes, size: size, edge: Limits.thumbnailEdge)
        let small = decoded.pixels.fitting(longestEdge: Limits.thumbnailEdge)
            .upright(report.orientation ?? .upright)
        report.thumbnail = try codec.encode(small, quality: Limits.thumbnailQuality)
        report.problem = decoded.isDamaged ? .damaged : nil
    }

    /// Becomes heif-convert (Debian's libheif-examples), found in PATH. Returns only on failure.
    private static func convert(_ path: String, to output: String) -> Int32 {
        // Discards the converter's messages: the parent expects only a report on standard output.
        let silence = unsafe open("/dev/null", O_WRONLY)
        guard silence >= 0, dup2(silence, STDOUT_FILENO) >= 0 else { return 1 }
        let words = ["heif-convert", "-q", "90", path, output]
        var pointers = unsafe words.map { unsafe strdup($0) }
        unsafe pointers.append(nil)
        unsafe execvp("heif-convert", pointers)
        return errno == ENOENT || errno == EACCES ? 127 : 1
    }
}
