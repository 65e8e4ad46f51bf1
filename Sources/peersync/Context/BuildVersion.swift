internal import CBuild
internal import LocalAPI

/// The output of `--version`, with the commit if packaging linked it in.
enum BuildVersion {
    static var text: String {
        let commit = unsafe peersync_built_from().map { unsafe String(cString: $0) }
        return "peersync \(ProgramVersion.text)" + (commit.map { " (\($0))" } ?? "")
    }
}
