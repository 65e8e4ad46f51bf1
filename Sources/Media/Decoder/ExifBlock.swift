internal import CExif

/// A parsed EXIF block; owns libexif's memory.
@safe
final class ExifBlock {
    /// The directories to read.
    enum Directory {
        case exif0, exif, gps

        fileprivate var index: ExifIfd {
            switch self {
            case .exif0: EXIF_IFD_0
            case .exif: EXIF_IFD_EXIF
            case .gps: EXIF_IFD_GPS
            }
        }
    }

    private let data: UnsafeMutablePointer<ExifData>

    /// Parses the EXIF block near the beginning of a JPEG file.
    ///
    /// libexif's repairs are switched off first: they would add missing times, set to now.
    init?(jpeg bytes: [UInt8]) {
        guard let data = unsafe exif_data_new() else { return nil }
        unsafe self.data = unsafe data
        unsafe exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
        unsafe exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
        let beginning = bytes.prefix(1 << 20)
        unsafe beginning.withUnsafeBufferPointer { buffer in
            unsafe exif_data_load_data(data, buffer.baseAddress, UInt32(buffer.count))
        }
    }

    deinit {
        unsafe exif_data_unref(data)
    }

    /// The text of an ASCII entry, up to its first NUL, trimmed.
    func text(_ directory: Directory, _ tag: UInt32) -> String? {
        unsafe withEntry(directory, tag) { entry, bytes in
            guard unsafe entry.format == EXIF_FORMAT_ASCII else { return nil }
            let text = unsafe Array(bytes.prefix(64)).prefix { $0 != 0 }
            return String(decoding: text, as: UTF8.self).trimmingBlanks
        }
    }

    /// The first number of an entry of bytes or 16-bit numbers.
    func number(_ directory: Directory, _ tag: UInt32) -> UInt16? {
        unsafe withEntry(directory, tag) { entry, bytes in
            switch unsafe entry.format {
            case EXIF_FORMAT_BYTE: return unsafe bytes.first.map(UInt16.init)
            case EXIF_FORMAT_SHORT:
                guard bytes.count >= 2 else { return nil }
                return unsafe exif_get_short(bytes.baseAddress, exif_data_get_byte_order(data))
            default: return nil
            }
        }
    }

    /// Up to three unsigned fractions of an entry; empty when one of them has no value.
    func rationals(_ directory: Directory, _ tag: UInt32) -> [Double] {
        let values: [Double]? = unsafe withEntry(directory, tag) { entry, bytes in
            guard unsafe entry.format == EXIF_FORMAT_RATIONAL else { return nil }
            let order = unsafe exif_data_get_byte_order(data)
            var values: [Double] = []
            for index in 0..<min(3, bytes.count / 8) {
                guard let start = bytes.baseAddress else { return nil }
                let fraction = unsafe exif_get_rational(start + index * 8, order)
                guard fraction.denominator != 0 else { return nil }
                values.append(Double(fraction.numerator) / Double(fraction.denominator))
            }
            return values
        }
        return values ?? []
    }

    private func withEntry<Value>(
        _ directory: Directory, _ tag: UInt32,
        _ read: (ExifEntry, UnsafeBufferPointer<UInt8>) -> Value?
    ) -> Value? {
        guard let entry = unsafe peersync_exif_entry(data, directory.index, ExifTag(rawValue: tag)),
            let start = unsafe entry.pointee.data
        else { return nil }
        let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(entry.pointee.size))
        return unsafe read(entry.pointee, bytes)
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        var text = self[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
