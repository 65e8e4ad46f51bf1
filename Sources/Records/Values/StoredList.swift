internal import Foundation
internal import LocalAPI
internal import Store

/// A list that a device keeps for itself, in one setting.
struct StoredList<Element: Codable> {
    let key: String

    /// Empty where nothing is kept. Throws what the store throws.
    func all(in store: SyncStore) throws -> [Element] {
        try read(try store.settings.value(of: key))
    }

    func keep(_ list: [Element], in store: SyncStore) throws {
        try store.settings.set(key, to: try text(of: list))
    }

    /// Changes the list in one transaction. Throws what the store throws.
    func change(in store: SyncStore, _ body: ([Element]) -> [Element]) throws {
        try store.settings.change(key) { try text(of: body(try read($0))) }
    }

    private func read(_ text: String?) throws -> [Element] {
        guard let text else { return [] }
        return try JSONCoding.decode([Element].self, from: Data(text.utf8))
    }

    private func text(of list: [Element]) throws -> String? {
        list.isEmpty ? nil : String(decoding: try JSONCoding.encode(list), as: UTF8.self)
    }
}
