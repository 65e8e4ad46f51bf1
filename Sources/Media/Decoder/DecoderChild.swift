internal import CPlatform
internal import Glibc
internal import SyncCore

/// The process that touches the bytes of pictures: this same program, started again with a hidden
/// argument, for one file, under tight limits.
///
/// ```
/// peersync decode-media read PATH              report on standard output, see DecoderReport
/// peersync decode-media read-upright PATH      the same, but the pixels already stand upright
/// peersync decode-media convert PATH OUTPUT    becomes heif-convert, which writes a JPEG
/// ```
package enum DecoderChild {
    /// The first argument by which the program knows that it is a decoder child.
    package static let argument = "decode-media"

    /// Does the child's work and returns the exit code: 0 done (also for a picture that is broken),
    /// 1 failed, 64 not called as above, 127 no converter. `arguments` are those after
    /// ``argument``.
    package static func run(_ arguments: [String]) -> Int32 {
        guard confine() else { return 1 }
        if arguments.count == 2, ["read", "read-upright"].contains(arguments[0]) {
            return read(arguments[1], isUpright: arguments[0] == "read-upright")
        }
        if arguments.count == 3, arguments[0] == "convert" {
            return convert(arguments[1], to: arguments[2])
        }
        return 64
    }

    /// Gives up what decoding does not need, before a byte of the file is read. The limits are
    /// inherited by the converter.
    private static func confine() -> Bool {
        // The alarm ends an orphan even where the parent's death goes unnoticed.
        alarm(UInt32(Limits.decoderSeconds))
        return peersync_close_from(3) == 0 && peersync_limit_core(0) == 0
            && peersync_limit_memory(Limits.decoderMemoryBytes) == 0
            && peersync_limit_processor(Limits.decoderProcessorSeconds) == 0
            && peersync_limit_files(Limits.decoderFiles) == 0
            && peersync_limit_file_size(Limits.decoderFileBytes) == 0
            && peersync_no_new_privileges() == 0 && peersync_die_with_parent() == 0
    }

    private static func read(_ path: String, isUpright: Bool) -> Int32 {
        do {
            let report = try report(OpenFile.regular(path), isUpright: isUpright)
            try OpenFile(owning: dup(STDOUT_FILENO)).writeStream(report.encoded())
            return 0
        } catch {
            return 1
        }
    }

    private static func report(
        _ file: OpenFile, isUpright: Bool
    ) throws(BlobFilesError) -> DecoderReport {
        let length = try file.status().length
        guard length <= Limits.imageBytes else {
            var report = DecoderReport()
            report.problem = .tooLarge
            return report
        }
        return report(on: try file.read(at: 0, count: Int(length)), isUpright: isUpright)
    }

    /// What the bytes of a picture say, and its thumbnail; the pixels stand upright already when
    /// `isUpright` says so. Only the child and tests call it: it trusts libraries with hostile bytes.
    package static func report(on bytes: [UInt8], isUpright: Bool = false) -> DecoderReport {
        var report = DecoderReport()
        do {
            let exif = ExifFacts(jpeg: bytes)
            report.takenAt = exif.takenAt
            report.position = exif.position
            report.orientation = isUpright ? nil : exif.orientation
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

    /// Becomes heif-convert (Debian's libheif-examples), looked up in PATH. Returns only when there
    /// is none.
    private static func convert(_ path: String, to output: String) -> Int32 {
        // Its messages would otherwise stand where the parent expects a report.
        let silence = unsafe open("/dev/null", O_WRONLY)
        guard silence >= 0, dup2(silence, STDOUT_FILENO) >= 0 else { return 1 }
        let words = ["heif-convert", "-q", "90", path, output]
        var pointers = unsafe words.map { unsafe strdup($0) }
        unsafe pointers.append(nil)
        unsafe execvp("heif-convert", pointers)
        return errno == ENOENT || errno == EACCES ? 127 : 1
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
