internal import Foundation
internal import LocalAPI
internal import SyncCore

/// A data set, as read from its folder.
struct DataSet {
    let name: String
    /// The name of the schema that it is for.
    let schema: String
    /// In the order in which they are applied.
    let levels: [Level]
    let reset: Reset?

    /// A version at which everything except history must go.
    struct Reset {
        let version: Int
        let text: String?
        let germanText: String?
        /// Collections that are history.
        let keeps: [String]
    }

    struct Level {
        let level: DataSetLevel
        let version: Int
        /// The maker's description of the version.
        let text: String?
        let germanText: String?
        let files: [File]
        var rows = Rows()
    }

    /// The rows of one level.
    struct Rows {
        var cells: DataSetRows = [:]
        /// By collection, the keys in the order of the file; sorted if absent.
        var order: [String: [String]] = [:]
        /// The values that it and earlier versions shipped, as far as the set lists them.
        var released = ReleasedRows()
    }

    struct File {
        let collection: String
        let name: String
        /// The column that identifies a row.
        let key: String
    }
}
