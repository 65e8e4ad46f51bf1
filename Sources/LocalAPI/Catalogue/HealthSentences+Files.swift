/// What `peersync doctor` says of photos and other files.
extension Sentence.Health {
    package static func filesSound(_ files: Int) -> Words {
        Words(
            """
            \(Sentence.count(files, "file", "files")) verified, every byte; each thumbnail counts \
            as one.
            """)
    }

    package static func filesAwaited(_ number: Int) -> Words {
        Words("\(Sentence.count(number, "file is", "files are")) still to be fetched.")
    }

    package static func filesDamaged(_ number: Int, example: String) -> Words {
        Words(
            "\(Sentence.count(number, "file is", "files are")) damaged: \(example).",
            "\(byRepair) sets it aside and fetches it again from another device.")
    }

    package static func filesGone(_ number: Int, example: String) -> Words {
        Words(
            "\(Sentence.count(number, "file is", "files are")) not there any more: \(example).",
            "\(byRepair) fetches it again from another device.")
    }

    package static func filesUnreadable(_ number: Int, reason: String) -> Words {
        Words(
            "\(Sentence.count(number, "file", "files")) cannot be read: \(reason).",
            "The disk may be failing: copy what you can.")
    }

    package static func filesRequeued(_ number: Int) -> String {
        tr("\(Sentence.count(number, "file waits", "files wait")) to be fetched again.")
    }

    package static func filesQuarantined(_ number: Int) -> String {
        tr(
            number,
            "\(number) damaged file was moved to blobs/damaged and waits to be fetched again.",
            "\(number) damaged files were moved to blobs/damaged and wait to be fetched again.")
    }

    package static func filesUnnoted(_ number: Int) -> Words {
        Words(
            Message(
                verbatim: tr(
                    number, "\(number) file lies here whole, but counts as missing.",
                    "\(number) files lie here whole, but count as missing.")), byRepair)
    }

    package static func filesNoted(_ number: Int) -> String {
        tr("\(Sentence.count(number, "file counts", "files count")) as present again.")
    }

    package static func filesUnnamed(_ number: Int, example: String) -> Words {
        Words(
            "\(Sentence.count(number, "file is", "files are")) in no trip: blobs/\(example).",
            "That does no harm.")
    }

    package static func partialsStale(_ number: Int, bytes: Int64) -> Words {
        Words(
            """
            \(Sentence.count(number, "unfinished file is", "unfinished files are")) left over \
            (\(Sentence.size(bytes))).
            """, byRepair)
    }

    package static func partialsRemoved(_ number: Int) -> String {
        tr("\(Sentence.count(number, "unfinished file was", "unfinished files were")) removed.")
    }

    package static func filesAside(_ number: Int) -> Words {
        Words(
            "\(Sentence.count(number, "damaged file lies", "damaged files lie")) in blobs/damaged.",
            Message(
                verbatim: tr(
                    number, "Delete it once you do not miss anything.",
                    "Delete them once you do not miss anything.")))
    }
}
