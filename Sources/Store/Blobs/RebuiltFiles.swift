internal import GRDB

/// After a rebuild the store waits for files that may be in the folder of files.
package struct RebuiltFiles: Sendable {
    private let connection: StoreConnection

    private static let setting = "files_unnoted"

    init(_ connection: StoreConnection) { self.connection = connection }

    /// Notes it in a database that takes the place of a damaged one.
    static func begin(in database: Database) throws {
        try Settings.set(setting, [1], in: database)
    }

    /// Whether the folder of files was not read since the store was rebuilt.
    package var areUnnoted: Bool {
        get throws {
            try connection.read { try Settings.bytes(RebuiltFiles.setting, in: $0) != nil }
        }
    }

    /// The folder of files was read, and what was found there is marked as found.
    package func setNoted() throws {
        try connection.write { try Settings.set(RebuiltFiles.setting, nil, in: $0) }
    }
}
