package import LocalAPI

/// The answer of `trip encrypt`.
package enum EncryptionText {
    package static func encrypted(_ report: EncryptReport, _ noun: SpaceNoun) -> String {
        var lines =
            report.isNew ? [tr("\(Sentence.name(report.trip.name)) is encrypted from now on.")] : []
        if report.encrypted > 0 {
            lines.append(
                tr(
                    report.encrypted,
                    "\(report.encrypted) file from before is encrypted now.",
                    "\(report.encrypted) files from before are encrypted now."))
        }
        lines += stays(report)
        lines += left(report, noun)
        return lines.joined(separator: "\n")
    }

    /// The irrevocable consequences.
    private static func stays(_ report: EncryptReport) -> [String] {
        let changes = report.changes
        let what: String? =
            switch (changes > 0, report.encrypted > 0) {
            case (true, true):
                tr(
                    changes,
                    "\(changes) change from before, and the files as they were, stay readable",
                    "\(changes) changes from before, and the files as they were, stay readable")
            case (true, false):
                tr(
                    changes, "\(changes) change from before stays readable",
                    "\(changes) changes from before stay readable")
            case (false, true): tr("The files as they were stay readable")
            case (false, false): nil
            }
        return what.map {
            [tr("\($0) \(on(report.readable)), and in copies of their disks.")]
        } ?? []
    }

    private static func left(_ report: EncryptReport, _ noun: SpaceNoun) -> [String] {
        var lines: [String] = []
        let again = "peersync \(noun) encrypt \(Sentence.quoted(report.trip.name))"
        if report.missing.count > 0 {
            lines.append(
                tr(
                    """
                    Not encrypted, as not on this device: \(Sentence.Encryption.files(report.missing)). \
                    Once fetched, or on a device that has them: \(again)
                    """))
        }
        if report.outranked.count > 0 {
            lines.append(
                tr(
                    """
                    Not encrypted, as set with authority: \(Sentence.Encryption.files(report.outranked)). \
                    On a device with authority: \(again)
                    """))
        }
        return lines
    }

    /// `on Laptop and Phone`, `on 7 devices`.
    static func on(_ devices: [Reference]) -> String {
        devices.count > 6
            ? tr("on \(devices.count) devices")
            : tr("on \(Sentence.Member.list(devices.map { Sentence.plain($0.name) }))")
    }
}
