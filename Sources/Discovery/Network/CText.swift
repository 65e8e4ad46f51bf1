extension String {
    /// The text in a C buffer, up to its zero byte.
    init(upToZero buffer: [CChar]) {
        self.init(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
