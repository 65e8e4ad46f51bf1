internal import Store
internal import SyncCore
internal import Synchronization

/// The shown names of people and spaces, rebuilt after anything was stored.
package final class NameBook: Sendable {
    private struct Page<ID: Hashable & Sendable>: Sendable {
        let version: UInt64
        let own: PersonID
        let names: [ID: String]
    }

    private let people = Mutex<Page<PersonID>?>(nil)
    private let spaces = Mutex<Page<SpaceID>?>(nil)

    package init() {}

    /// The names of people as `read` gives them for the own person; read when anything was stored since.
    func people(
        for replica: some Replica, _ read: (PersonID) throws -> [PersonID: String]
    ) -> [PersonID: String] { Self.names(on: people, for: replica, read) }

    /// The same of spaces.
    func spaces(
        for replica: some Replica, _ read: (PersonID) throws -> [SpaceID: String]
    ) -> [SpaceID: String] { Self.names(on: spaces, for: replica, read) }

    private static func names<ID>(
        on page: borrowing Mutex<Page<ID>?>, for replica: some Replica,
        _ read: (PersonID) throws -> [ID: String]
    ) -> [ID: String] {
        replica.reading("names not read", or: [:]) {
            try replica.store.snapshot { version in
                let own = replica.local.person
                if let known = page.withLock({ $0 }), known.version == version, known.own == own {
                    return known.names
                }
                let names = try read(own)
                page.withLock { $0 = Page(version: version, own: own, names: names) }
                return names
            }
        }
    }
}
