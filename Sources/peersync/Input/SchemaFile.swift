internal import LocalAPI

/// A schema document that a person names.
enum SchemaFile {
    static func bytes(of path: String) throws -> [UInt8] {
        try InputPath.contents(of: path)
    }

    static func text(of path: String) throws -> String {
        guard let text = String(validating: try bytes(of: path), as: UTF8.self) else {
            throw APIError.badSchema(first: tr("line 1: it is not UTF-8 text"), count: 1)
        }
        return text
    }

    /// Whether a word names a file, not a schema.
    static func isFile(_ word: String) -> Bool {
        word.contains("/") || word.contains(".")
    }
}
