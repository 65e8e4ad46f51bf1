internal import LocalAPI

/// Gives access to the files of data sets.
package struct DataSetFiles: Sendable {
    /// All bytes of a file in a folder; the limit is checked against its size before reading. Throws
    /// ``APIError``.
    let contents:
        @Sendable (
            _ name: String, _ folder: String, _ limit: (_ bytes: Int) throws -> Void
        ) throws -> [UInt8]

    package init(
        contents:
            @escaping @Sendable (
                _ name: String, _ folder: String, _ limit: (_ bytes: Int) throws -> Void
            ) throws -> [UInt8]
    ) {
        self.contents = contents
    }

    /// Folders on this computer.
    package static let onDisk = DataSetFiles { name, folder, limit in
        try FilePath.contents(of: name, in: folder, limit: limit)
    }
}
