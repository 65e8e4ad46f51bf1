internal import ArgumentParser
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

/// The folder of the data set that a command reads.
struct DataSetFolder: ParsableArguments {
    @Argument(
        help: ArgumentHelp(OptionHelp.dataSetFolder, valueName: "folder"), completion: .directory)
    var typed: String

    var path: String { InputPath.absolute(typed) }
}

/// A data set and the space that it is for.
struct DataSetTarget: ParsableArguments {
    @OptionGroup var dataSet: DataSetFolder

    @Option(
        help: ArgumentHelp(OptionHelp.dataSetSpace, valueName: "space"),
        completion: .names(of: .space))
    var space: String

    var folder: String { dataSet.typed }
    var path: String { dataSet.path }
}
