internal import CTurboJPEG
internal import SyncCore

/// TurboJPEG: decodes at reduced size, and encodes thumbnails.
///
/// Only the decoder child may decode hostile bytes.
@safe
final class JPEGCodec {
    enum Failure: Error {
        /// Not a JPEG file, or broken before its first row.
        case damaged
        /// More pixels than ``Limits/decodedPixels``, even at the smallest scale, or more of them in several scans
        /// than ``Limits/coefficientBytes``.
        case tooLarge
        /// A colour space for printing; these are not converted.
        case unsupportedColours
        /// The library could not be initialised, or could not encode.
        case unavailable
    }

    struct Decoded {
        var pixels: PixelGrid
        /// Rows are missing or wrong; the library filled them.
        var isDamaged: Bool
    }

    private let decoder: tjhandle
    private let encoder: tjhandle

    init() throws(Failure) {
        guard let decoder = unsafe tjInitDecompress() else { throw .unavailable }
        guard let encoder = unsafe tjInitCompress() else {
            unsafe tjDestroy(decoder)
            throw .unavailable
        }
        unsafe self.decoder = unsafe decoder
        unsafe self.encoder = unsafe encoder
    }

    deinit {
        unsafe tjDestroy(decoder)
        unsafe tjDestroy(encoder)
    }

    /// Size and colour space from the file's header.
    func size(of jpeg: [UInt8]) throws(Failure) -> PixelSize {
        var width: Int32 = 0
        var height: Int32 = 0
        var subsampling: Int32 = 0
        var colours: Int32 = 0
        let status = unsafe jpeg.withUnsafeBufferPointer { buffer in
            unsafe tjDecompressHeader3(
                decoder, buffer.baseAddress, UInt(buffer.count), &width, &height, &subsampling,
                &colours)
        }
        let edges = 1...Int32(Limits.imageEdge)
        guard status == 0, edges.contains(width), edges.contains(height) else { throw .damaged }
        let printing = [Int32(TJCS_CMYK.rawValue), Int32(TJCS_YCCK.rawValue)]
        guard !printing.contains(colours) else { throw .unsupportedColours }
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// Decodes a picture of `size`, taken from its header, at the smallest scale whose longest edge is
    /// still at least `edge`.
    func decode(_ jpeg: [UInt8], size: PixelSize, edge: Int) throws(Failure) -> Decoded {
        let scaled = scaledSize(size, edge: edge)
        guard scaled.width * scaled.height <= Limits.decodedPixels,
            JPEGFrame(jpeg)?.coefficientBytes ?? 0 <= Limits.coefficientBytes
        else { throw .tooLarge }
        var bytes = [UInt8](repeating: 0, count: scaled.width * scaled.height * 3)
        let status = unsafe bytes.withUnsafeMutableBufferPointer { pixels in
            unsafe jpeg.withUnsafeBufferPointer { buffer in
                unsafe tjDecompress2(
                    decoder, buffer.baseAddress, UInt(buffer.count), pixels.baseAddress,
                    Int32(scaled.width), 0, Int32(scaled.height), Int32(TJPF_RGB.rawValue),
                    TJFLAG_LIMITSCANS)
            }
        }
        // After a warning the damaged part of the picture is grey; after an error there is no picture.
        let warned = unsafe tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue)
        guard status == 0 || warned else { throw .damaged }
        return Decoded(pixels: PixelGrid(size: scaled, bytes: bytes), isDamaged: status != 0)
    }

    /// The pixels as a JPEG file without metadata.
    func encode(_ pixels: PixelGrid, quality: Int32) throws(Failure) -> [UInt8] {
        let width = Int32(pixels.size.width)
        let height = Int32(pixels.size.height)
        let subsampling = Int32(TJSAMP_420.rawValue)
        let capacity = tjBufSize(width, height, subsampling)
        var jpeg = [UInt8](repeating: 0, count: Int(capacity))
        var length = capacity
        let status = unsafe jpeg.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe pixels.bytes.withUnsafeBufferPointer { source in
                unsafe tjCompress2(
                    encoder, source.baseAddress, width, 0, height, Int32(TJPF_RGB.rawValue), &start,
                    &length, subsampling, quality, TJFLAG_NOREALLOC)
            }
        }
        guard status == 0, length <= capacity else { throw .unavailable }
        return Array(jpeg.prefix(Int(length)))
    }

    /// TurboJPEG scales by eighths, and rounds up.
    private func scaledSize(_ size: PixelSize, edge: Int) -> PixelSize {
        for eighths in [1, 2, 4] {
            let scaled = PixelSize(
                width: (size.width * eighths + 7) / 8, height: (size.height * eighths + 7) / 8)
            if max(scaled.width, scaled.height) >= edge { return scaled }
        }
        return size
    }
}
