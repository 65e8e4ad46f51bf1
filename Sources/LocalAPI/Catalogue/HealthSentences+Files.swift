/// The words of `peersync doctor` about photos and other files.
extension Sentence.Health {
    package static func filesDamaged(_ number: Int, example: String) -> Words {
        Words(
            "\(Sentence.count(number, "file is", "files are")) damaged: \(example).",
            Message(
                verbatim: tr(
                    number,
                    "\(byRepair.text) sets it aside and fetches it again from another device.",
                    "\(byRepair.text) sets them aside and fetches them again from other devices.")))
    }

    package static func filesGone(_ number: Int, example: String) -> Words {
        Words(
            "\(Sentence.count(number, "file is", "files are")) not there any more: \(example).",
            Message(
                verbatim: tr(
                    number, "\(byRepair.text) fetches it again from another device.",
                    "\(byRepair.text) fetches them again from other devices.")))
    }

    package static func filesUnreadable(_ number: Int, reason: String) -> Words {
        Words(
            "\(Sentence.count(number, "file", "files")) cannot be read: \(reason).",
            "The disk may be failing: copy what you can.")
    }

    package static func filesQuarantined(_ number: Int) -> String {
        tr(
            number,
            "\(number) damaged file was moved to blobs/damaged and waits to be fetched again.",
            "\(number) damaged files were moved to blobs/damaged and wait to be fetched again.")
    }
}
