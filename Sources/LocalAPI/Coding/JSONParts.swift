extension Encoder {
    /// Writes all properties of `part` side by side into one JSON object: the JSON does not show that a view
    /// consists of parts. No two parts may have a property of the same name.
    func encode<each Part: Encodable>(inOneObject part: repeat each Part) throws {
        repeat try (each part).encode(to: self)
    }
}
