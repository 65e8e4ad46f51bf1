/// A value that JSON omits when it is empty or false.
@propertyWrapper
package struct MayBeAbsent<Value: Codable & Sendable & Hashable & EmptyValue>: Codable, Sendable,
    Hashable
{
    package var wrappedValue: Value

    package init(wrappedValue: Value = Value()) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws { wrappedValue = try Value(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// A type with an empty value.
package protocol EmptyValue {
    init()
}

extension String: EmptyValue {}
extension Bool: EmptyValue {}
extension Array: EmptyValue {}
extension Dictionary: EmptyValue {}

extension KeyedDecodingContainer {
    /// The compiler calls this for a property with this wrapper.
    func decode<Value>(
        _ type: MayBeAbsent<Value>.Type, forKey key: Key
    ) throws -> MayBeAbsent<Value> {
        MayBeAbsent(wrappedValue: try decodeIfPresent(Value.self, forKey: key) ?? Value())
    }
}
