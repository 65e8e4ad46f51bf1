extension Encoder {
    /// Writes the parts of a value as one JSON object, so that how a value is divided does not show in the API. No two
    /// parts have a property of the same name. The value reads each part from its whole decoder.
    func encode<each Part: Encodable>(inOneObject part: repeat each Part) throws {
        repeat try (each part).encode(to: self)
    }
}
