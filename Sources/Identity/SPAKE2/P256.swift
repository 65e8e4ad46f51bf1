internal import CLibcrypto

/// The curve P-256 of libcrypto, which has the point addition that SPAKE2 needs and that neither
/// CryptoKit's interface nor swift-crypto offers.
enum P256Curve {
    /// An uncompressed point: 0x04 and two coordinates (SEC 1 section 2.3.3).
    static let pointByteCount = 65
    static let scalarByteCount = 32

    fileprivate static let shared = Group()

    /// Owns the group's parameters for the life of the process.
    @safe fileprivate final class Group: @unchecked Sendable {
        // Unchecked: written once, here, and libcrypto only reads a finished group.
        let pointer: OpaquePointer
        let order: OpaquePointer

        init() {
            guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1),
                let order = unsafe EC_GROUP_get0_order(group)
            else { preconditionFailure("libcrypto has no P-256 or no memory") }
            unsafe pointer = group
            unsafe self.order = order
        }
    }
}

/// A number modulo the order of the curve's group, wiped when it is released.
@safe
final class P256Scalar: @unchecked Sendable {
    // Unchecked: never written after `init`, and libcrypto only reads it.
    fileprivate let pointer: OpaquePointer

    /// The big-endian number `bytes`, reduced. With 40 bytes and more the result of random bytes
    /// has no bias that matters (RFC 9383 section 3.2).
    init(reducing bytes: [UInt8]) {
        guard let number = unsafe BN_secure_new(), let context = unsafe BN_CTX_secure_new() else {
            preconditionFailure("libcrypto has no memory")
        }
        defer { unsafe BN_CTX_free(context) }
        unsafe BN_set_flags(number, BN_FLG_CONSTTIME)
        let order = unsafe P256Curve.shared.order
        guard unsafe BN_bin2bn(bytes, Int32(bytes.count), number) != nil,
            unsafe BN_nnmod(number, number, order, context) == 1
        else { preconditionFailure("libcrypto did not reduce \(bytes.count) bytes") }
        unsafe pointer = number
    }

    deinit {
        unsafe BN_clear_free(pointer)
    }

    /// 32 bytes, big-endian.
    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: P256Curve.scalarByteCount)
        let count = unsafe BN_bn2binpad(pointer, &bytes, Int32(bytes.count))
        precondition(count == Int32(bytes.count), "a reduced scalar has at most 32 bytes")
        return bytes
    }
}

/// A point of the curve, the point at infinity included; wiped when it is released.
@safe
final class P256Point {
    private let pointer: OpaquePointer

    private init() {
        guard let point = unsafe EC_POINT_new(P256Curve.shared.pointer) else {
            preconditionFailure("libcrypto has no memory")
        }
        unsafe pointer = point
    }

    deinit {
        unsafe EC_POINT_clear_free(pointer)
    }

    /// Reads an uncompressed point; nil for anything but 65 bytes that start with 0x04 and name a
    /// point of the curve. libcrypto alone would take infinity, compressed and hybrid forms too.
    convenience init?(uncompressed bytes: [UInt8]) {
        guard bytes.count == P256Curve.pointByteCount, bytes.first == 0x04 else { return nil }
        self.init(anyForm: bytes)
    }

    /// Reads our own constants, which RFC 9382 prints compressed.
    static func constant(_ bytes: [UInt8]) -> P256Point {
        guard let point = P256Point(anyForm: bytes) else {
            preconditionFailure("a constant of RFC 9382 is not on the curve")
        }
        return point
    }

    private convenience init?(anyForm bytes: [UInt8]) {
        self.init()
        let group = unsafe P256Curve.shared.pointer
        guard unsafe EC_POINT_oct2point(group, pointer, bytes, bytes.count, nil) == 1,
            unsafe EC_POINT_is_on_curve(group, pointer, nil) == 1, !isInfinity
        else { return nil }
    }

    var isInfinity: Bool {
        unsafe EC_POINT_is_at_infinity(P256Curve.shared.pointer, pointer) == 1
    }

    /// The uncompressed form, 65 bytes; nil for infinity, which has none.
    var uncompressed: [UInt8]? {
        guard !isInfinity else { return nil }
        var bytes = [UInt8](repeating: 0, count: P256Curve.pointByteCount)
        let count = unsafe EC_POINT_point2oct(
            P256Curve.shared.pointer, pointer, POINT_CONVERSION_UNCOMPRESSED, &bytes,
            bytes.count, nil)
        return count == bytes.count ? bytes : nil
    }

    /// The generator times `scalar`. One scalar per call: only then is libcrypto constant in time.
    static func generator(times scalar: P256Scalar) -> P256Point {
        let product = P256Point()
        succeed(
            unsafe EC_POINT_mul(
                P256Curve.shared.pointer, product.pointer, scalar.pointer, nil, nil, nil))
        return product
    }

    func times(_ scalar: P256Scalar) -> P256Point {
        let product = P256Point()
        P256Point.succeed(
            unsafe EC_POINT_mul(
                P256Curve.shared.pointer, product.pointer, nil, pointer, scalar.pointer, nil))
        return product
    }

    static func + (left: P256Point, right: P256Point) -> P256Point {
        let sum = P256Point()
        succeed(
            unsafe EC_POINT_add(
                P256Curve.shared.pointer, sum.pointer, left.pointer, right.pointer, nil))
        return sum
    }

    static func - (left: P256Point, right: P256Point) -> P256Point {
        let negative = P256Point()
        succeed(unsafe EC_POINT_copy(negative.pointer, right.pointer))
        succeed(unsafe EC_POINT_invert(P256Curve.shared.pointer, negative.pointer, nil))
        return left + negative
    }

    /// Arithmetic on valid points fails only when memory runs out.
    private static func succeed(_ result: Int32) {
        precondition(result == 1, "libcrypto failed at point arithmetic")
    }
}
