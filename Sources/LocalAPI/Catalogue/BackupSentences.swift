extension Sentence {
    package enum Backup {
        package static let needsFolder = APIError(
            code: .badInput, sentence: "Nothing was backed up from here yet.",
            hint: "Name a folder, best on another disk: peersync backup /media/usb")
    }
}
