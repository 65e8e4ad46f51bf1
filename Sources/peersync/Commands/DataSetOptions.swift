internal import LocalAPI

/// Help for options that several commands of data sets have.
extension OptionHelp {
    static var dataSetFolder: String { tr("Folder with dataset.yaml.") }
    static var dataSetSpace: String { tr("The space that it is for.") }
    static var dataSetDryRun: String { tr("Only say what would change.") }
    static var resetBackup: String {
        tr("Folder for the backup before; else that of the last one.")
    }
    static var withoutBackup: String { tr("Make no backup first.") }
}
