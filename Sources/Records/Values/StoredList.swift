internal import Foundation
internal import LocalAPI
internal import Store

/// A list that a device keeps for itself, in one setting.
struct StoredList<Element: Codable> {
    let key: String

    /// Empty where nothing is kept. Throws what the store throws.
    func all(in store: SyncStore) throws -> [Element] {
        guard let text = try store.settings.value(of: key) else { return [] }
        return try JSONCoding.decode([Element].self, from: Data(text.utf8))
    }

    func keep(_ list: [Element], in store: SyncStore) throws {
        let text = String(decoding: try JSONCoding.encode(list), as: UTF8.self)
        try store.settings.set(key, to: list.isEmpty ? nil : text)
    }
}
