/// One entrance for bytes from outside, with everything that must hold for whatever comes in.
package struct FuzzTarget: Sendable {
    /// As the folders of its inputs and the command line call it.
    package let name: String
    /// Bytes of the longest input that is made up: what comes in longer is refused early, or adds
    /// nothing.
    package let longestInput: Int
    /// Mebibytes that one allocation for an input may take.
    package let allocationMebibytes: Int
    /// Words that inputs of this kind are made of.
    package let words: [String]
    /// Hands an input in. Throws ``BrokenProperty`` when something does not hold.
    package let check: @Sendable ([UInt8]) throws -> Void

    init(
        _ name: String, longestInput: Int = 4096, allocationMebibytes: Int = 16,
        words: [String] = [], check: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.name = name
        self.longestInput = longestInput
        self.allocationMebibytes = allocationMebibytes
        self.words = words
        self.check = check
    }
}

/// Something that should hold for every input and does not for this one.
package struct BrokenProperty: Error, CustomStringConvertible {
    package let description: String
}

/// Throws when `condition` does not hold, with what should have.
func require(_ condition: Bool, _ property: String) throws(BrokenProperty) {
    guard condition else { throw BrokenProperty(description: property) }
}
