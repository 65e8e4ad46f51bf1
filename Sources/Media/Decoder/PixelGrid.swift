internal import SyncCore

/// Pixels of three bytes (red, green, blue), row by row without gaps.
struct PixelGrid: Sendable {
    let size: PixelSize
    var bytes: [UInt8]

    /// Turns and mirrors the picture upright.
    func upright(_ orientation: ImageOrientation) -> PixelGrid {
        guard orientation != .upright else { return self }
        let target = size.upright(orientation)
        var result = PixelGrid(size: target, bytes: Array(repeating: 0, count: bytes.count))
        for y in 0..<target.height {
            for x in 0..<target.width {
                let from = source(x, y, orientation)
                let read = (from.y * size.width + from.x) * 3
                let write = (y * target.width + x) * 3
                result.bytes[write] = bytes[read]
                result.bytes[write + 1] = bytes[read + 1]
                result.bytes[write + 2] = bytes[read + 2]
            }
        }
        return result
    }

    /// The place of the upright picture's pixel (x, y) in the stored picture.
    private func source(_ x: Int, _ y: Int, _ orientation: ImageOrientation) -> (x: Int, y: Int) {
        let right = size.width - 1
        let bottom = size.height - 1
        return switch orientation {
        case .upright: (x, y)
        case .mirrored: (right - x, y)
        case .turned180: (right - x, bottom - y)
        case .mirroredTurned180: (x, bottom - y)
        case .mirroredTurned270: (y, x)
        case .turned90: (y, bottom - x)
        case .mirroredTurned90: (right - y, bottom - x)
        case .turned270: (right - y, x)
        }
    }

    /// Shrinks the picture until its longest edge is `edge`; each new pixel is the mean of those it covers.
    /// A picture that is small enough is returned unchanged.
    func fitting(longestEdge edge: Int) -> PixelGrid {
        let longest = max(size.width, size.height)
        guard longest > edge else { return self }
        let target = PixelSize(
            width: max(1, (size.width * edge + longest / 2) / longest),
            height: max(1, (size.height * edge + longest / 2) / longest))
        var result = PixelGrid(
            size: target, bytes: Array(repeating: 0, count: target.width * target.height * 3))
        for y in 0..<target.height {
            let rows = y * size.height / target.height..<(y + 1) * size.height / target.height
            for x in 0..<target.width {
                let columns = x * size.width / target.width..<(x + 1) * size.width / target.width
                let mean = mean(columns, rows)
                let write = (y * target.width + x) * 3
                result.bytes[write] = mean.red
                result.bytes[write + 1] = mean.green
                result.bytes[write + 2] = mean.blue
            }
        }
        return result
    }

    private func mean(
        _ columns: Range<Int>, _ rows: Range<Int>
    ) -> (red: UInt8, green: UInt8, blue: UInt8) {
        var red = 0
        var green = 0
        var blue = 0
        for y in rows {
            for x in columns {
                let read = (y * size.width + x) * 3
                red += Int(bytes[read])
                green += Int(bytes[read + 1])
                blue += Int(bytes[read + 2])
            }
        }
        let count = max(1, columns.count * rows.count)
        return (UInt8(red / count), UInt8(green / count), UInt8(blue / count))
    }
}
