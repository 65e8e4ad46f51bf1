/// How a JPEG file holds its picture, from its header.
struct JPEGFrame {
    private struct Component {
        let horizontal: Int
        let vertical: Int
    }

    private let size: PixelSize
    private let components: [Component]
    private let isProgressive: Bool
    /// Colours come one after the other, not together.
    private var isDivided = false

    /// Bytes of coefficients that a decoder holds at a time: those of the whole picture, at any scale, where it comes in
    /// several scans, otherwise none worth counting.
    var coefficientBytes: Int {
        guard isProgressive || isDivided else { return 0 }
        let most = (
            horizontal: components.map(\.horizontal).max() ?? 1,
            vertical: components.map(\.vertical).max() ?? 1
        )
        return components.reduce(0) { sum, component in
            let width = size.width * component.horizontal / most.horizontal + 16
            let height = size.height * component.vertical / most.vertical + 16
            return sum + width * height * 2
        }
    }

    /// Reads up to the first scan; nil where it does not come to one.
    init?(_ jpeg: [UInt8]) {
        var found: JPEGFrame?
        var segments = Segments(jpeg)
        while let (marker, content) = segments.next() {
            switch marker {
            // Huffman tables, extensions and arithmetic conditioning have numbers between those of frames.
            case 0xC4, 0xC8, 0xCC: continue
            case 0xC0...0xCF:
                found = JPEGFrame(header: Array(content), isProgressive: marker & 3 == 2)
                guard found != nil else { return nil }
            case 0xDA:
                guard var frame = found, let count = content.first else { return nil }
                frame.isDivided = Int(count) < frame.components.count
                self = frame
                return
            default: continue
            }
        }
        return nil
    }

    private init?(header bytes: [UInt8], isProgressive: Bool) {
        guard bytes.count >= 6, bytes.count >= 6 + 3 * Int(bytes[5]) else { return nil }
        size = PixelSize(
            width: Int(bytes[3]) << 8 | Int(bytes[4]), height: Int(bytes[1]) << 8 | Int(bytes[2]))
        components = (0..<Int(bytes[5])).map { index in
            let factors = bytes[7 + 3 * index]
            return Component(
                horizontal: max(1, Int(factors >> 4)), vertical: max(1, Int(factors & 15)))
        }
        self.isProgressive = isProgressive
    }
}

/// The segments of a JPEG file up to its first scan, each its marker and its content.
private struct Segments: IteratorProtocol {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> (marker: UInt8, content: ArraySlice<UInt8>)? {
        while place + 1 < bytes.count {
            let (first, marker) = (bytes[place], bytes[place + 1])
            // Decoders skip anything else between two segments, and a first byte that is there several times.
            guard first == 0xFF, marker != 0xFF, marker != 0 else {
                place += 1
                continue
            }
            place += 2
            // The beginning of the file, and marks without content.
            if marker == 0xD8 || marker == 1 || (0xD0...0xD7).contains(marker) { continue }
            guard place + 1 < bytes.count else { return nil }
            let end = place + (Int(bytes[place]) << 8 | Int(bytes[place + 1]))
            guard end >= place + 2, end <= bytes.count else { return nil }
            defer { place = end }
            return (marker, bytes[place + 2..<end])
        }
        return nil
    }
}
