internal import LocalAPI
internal import SyncCore

extension FieldValue {
    /// Parses typed text as a value of the field's type; other values stay unchanged. Errors name the
    /// field.
    func read(as type: FieldType, of field: String) throws -> FieldValue {
        guard case .typed(let typed) = self else { return self }
        return try typed.value(as: type.word, of: field)
    }
}
