/// Errors about archives of trips and spaces.
extension APIError {
    /// Why an archive is not accepted.
    package enum ArchiveFault: Sendable {
        case damaged, unsafeName
        case notAFile(String)
        case listedTwice(String)
        case missing(String)
        case changed(String)
        case unlisted(String)
        case tooLarge(String)

        fileprivate var words: String {
            switch self {
            case .damaged: tr("It is cut off or was changed.")
            case .unsafeName: tr("It names a file outside of itself.")
            case .notAFile(let name): tr("\(Sentence.name(name)) in it is no file.")
            case .listedTwice(let name): tr("\(Sentence.name(name)) is in it twice.")
            case .missing(let name): tr("\(Sentence.name(name)) is missing.")
            case .changed(let name): tr("\(Sentence.name(name)) was changed.")
            case .unlisted(let name): tr("\(Sentence.name(name)) is not in its list SHA256SUMS.")
            case .tooLarge(let name): tr("\(Sentence.name(name)) is too large.")
            }
        }
    }

    package static func badArchive(_ path: String, _ fault: ArchiveFault) -> APIError {
        APIError(
            code: .badInput,
            sentence: "The archive \(Sentence.plain(path)) cannot be used. \(fault.words)",
            hint: "Nothing was imported. Take another copy of the archive, or archive it again.")
    }

    package static func notAnArchive(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(Sentence.plain(path)) is no archive of peersync.",
            hint: "Give the folder with SHA256SUMS in it, or the file that ends with .tar.age.")
    }

    /// `hasKey`: some identities were given, and none fits.
    package static func lockedArchive(_ path: String, hasKey: Bool) -> APIError {
        let name = Sentence.plain(path)
        return APIError(
            code: .badInput,
            sentence: hasKey
                ? "The archive \(name) is encrypted to somebody else than this key."
                : "The archive \(name) is encrypted.",
            hint: "Give the file with the key that it was encrypted to: --identity FILE")
    }

    package static func archiveLine(_ file: String, line: Int?) -> APIError {
        let place = line.map { tr("line \($0) of \(file)") } ?? file
        return APIError(
            code: .badInput,
            sentence: "The archive cannot be used: \(place) does not fit its schema.",
            hint: "Nothing was imported. Take another copy of the archive.")
    }

    package static let archiveNewer = APIError(
        code: .badInput, sentence: "The archive was written by a newer peersync.",
        hint: "Nothing was imported. Install the newer version.")

    package static func archiveKnown(_ name: String, copies: [Reference]) -> APIError {
        let here = copies.map { "\(Sentence.name($0.name)) (\($0.shortID))" }
            .joined(separator: ", ")
        return APIError(
            code: .confirmationNeeded,
            sentence: """
                The archived \(Sentence.name(name)) is here already, itself or made of an archive of it: \
                \(here).
                """,
            hint: """
                Nothing was imported, nor compared: they may differ. To import it as another one all \
                the same: --again
                """)
    }

    package static func filesMissing(_ count: Int, of total: Int, trip: String) -> APIError {
        let files = Sentence.count(total, "file", "files")
        return APIError(
            code: .notHere,
            sentence: count == 1
                ? "\(count) of the \(files) of \(Sentence.name(trip)) is not on this device."
                : "\(count) of the \(files) of \(Sentence.name(trip)) are not on this device.",
            hint: """
                Fetch what devices in reach have: peersync sync. To archive it without: \
                --incomplete
                """)
    }

    package static func archiveNoRoom(_ path: String) -> APIError {
        APIError(
            code: .failed, sentence: "There is not enough room for \(Sentence.plain(path)).",
            hint: "Nothing was written. Make room on that disk, or name a place on another: --to")
    }

    package static func damagedHere(_ name: String) -> APIError {
        APIError(
            code: .notHere, sentence: "A file of \(Sentence.plain(name)) is damaged on this disk.",
            hint: "Nothing was written. It is fetched again from other devices: peersync sync")
    }

    /// `reason` stopped it after the space was made.
    package static func importNotFinished(_ name: String, because reason: APIError) -> APIError {
        APIError(
            code: reason.code,
            sentence: "The archive was imported in part only. \(reason.message)",
            hint: """
                Import it again. What there is of it goes with the next start of the agent, or now: \
                peersync space delete \(Sentence.quoted(name))
                """)
    }
}
