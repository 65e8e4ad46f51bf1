/// Errors about trips, memories and files.
extension APIError {
    package static let emptyMemory = APIError(
        code: .badInput, sentence: "There is nothing to remember yet.",
        hint: "Give at least a --title, a --text, a --photo or a --track.")

    package static let nothingToChange = APIError(
        code: .badInput, sentence: "There is nothing to change.",
        hint: "Say what, for example --title \"Cortona\"; --help lists what can be changed.")

    package static func noSuchFile(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "There is no file \(path).",
            hint: "Check the name; names with spaces need quotes.")
    }

    /// Of a folder in which something is to be saved.
    package static func noSuchFolder(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "There is no folder \(path).",
            hint: "Make it first, or name another one.")
    }

    package static func isFolder(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(path) is a folder, not a file.",
            hint: "Name the files in it, for example \(path)/*.jpg")
    }

    package static func unreadableFile(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "The file \(path) may not be read.",
            hint: "Check its permissions.")
    }

    package static func originalNotHere(_ name: String) -> APIError {
        APIError(
            code: .notHere,
            sentence: "The original of \(Sentence.plain(name)) is not on this device yet.",
            hint: "It comes as soon as a device that has it is in reach: peersync sync")
    }
}
