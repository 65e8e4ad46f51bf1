internal import LocalAPI
internal import SyncCore

extension FieldValue {
    /// What a person typed, as a value of a field's type; every other value as it is. What is wrong
    /// with the text is said of the field.
    func read(as type: FieldType, of field: String) throws -> FieldValue {
        guard case .typed(let typed) = self else { return self }
        return try typed.value(as: type.word, of: field)
    }
}
