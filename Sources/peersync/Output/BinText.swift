internal import LocalAPI

/// The texts of `bin`.
enum BinText {
    /// The state of the files of a deleted record or space; `date` writes a time.
    static func files(_ files: BinFiles, date: (Moment) -> String) -> String {
        var parts: [String] = []
        if files.here > 0 {
            let count = Sentence.count(files.here, "file", "files")
            if !files.waitingFor.isEmpty {
                let devices = Sentence.names(files.waitingFor.map(\.name))
                parts.append(tr("\(count), waits for \(devices)"))
            } else if let time = files.freeableAt {
                parts.append(tr("\(count) until \(date(time))"))
            } else {
                parts.append(count)
            }
        }
        if files.freed > 0, let time = files.freedAt {
            let count = Sentence.count(files.freed, "file", "files")
            parts.append(tr("\(count) freed on \(date(time))"))
        }
        return parts.joined(separator: "; ")
    }

    static func wouldFree(_ emptied: BinEmptied) -> String {
        guard emptied.files > 0 else { return rest(emptied, tr("Nothing can be freed now.")) }
        return rest(
            emptied,
            tr(
                emptied.files,
                "\(emptied.files) file (\(Sentence.size(emptied.bytes))) would go from this device.",
                "\(emptied.files) files (\(Sentence.size(emptied.bytes))) would go from this device."
            ))
    }

    static func question(_ emptied: BinEmptied) -> String {
        wouldFree(emptied) + "\n"
            + tr("They come back only from another device that has them. Go on?")
    }

    static func freed(_ emptied: BinEmptied) -> String {
        guard emptied.files > 0 else { return rest(emptied, tr("Nothing was freed.")) }
        return rest(
            emptied,
            tr(
                emptied.files,
                "Freed \(emptied.files) file (\(Sentence.size(emptied.bytes))) on this device.",
                "Freed \(emptied.files) files (\(Sentence.size(emptied.bytes))) on this device."
            ))
    }

    private static func rest(_ emptied: BinEmptied, _ first: String) -> String {
        var lines = [first]
        if emptied.later > 0 {
            lines.append(
                tr(
                    emptied.later, "\(emptied.later) file is still in the bin.",
                    "\(emptied.later) files are still in the bin."))
        }
        if emptied.waiting > 0 {
            let devices = Sentence.names(emptied.waitingFor.map(\.name))
            lines.append(
                tr(
                    emptied.waiting,
                    "\(emptied.waiting) file stays until these heard of its deletion: \(devices).",
                    "\(emptied.waiting) files stay until these heard of their deletion: \(devices)."
                ))
        }
        return lines.joined(separator: "\n")
    }

    static func restored(_ item: BinItemView) -> String {
        let with =
            item.parts == 0
            ? ""
            : tr(
                item.parts, " with \(item.parts) record that belongs to it",
                " with \(item.parts) records that belong to it")
        let name = item.name.isEmpty ? "" : " \(Sentence.name(item.name))"
        let back = tr(
            "Brought back the \(Sentence.Changes.noun(item.kind))\(name)\(with) for everybody.")
        guard let freed = item.files?.freed, freed > 0 else { return back }
        return back + "\n"
            + tr(
                freed,
                "\(freed) file was freed on this device: it comes back if another device has it.",
                "\(freed) files were freed on this device: they come back if another device has them."
            )
    }
}
