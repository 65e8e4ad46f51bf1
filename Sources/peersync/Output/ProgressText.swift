package import LocalAPI

package enum ProgressText {
    /// `Adding: 120 of 400 files, 360 MB of 1.2 GB, 24 MB/s, 35 seconds left`.
    package static func progress(_ view: ProgressView) -> String {
        var parts: [String] = []
        if view.totalFiles > 1 {
            parts.append(tr("\(view.files) of \(view.totalFiles) files"))
        } else if view.totalFiles == 1 {
            parts.append(tr("1 file"))
        }
        if view.totalBytes > 0 {
            parts.append(
                tr(
                    "\(Sentence.size(min(view.bytes, view.totalBytes))) of \(Sentence.size(view.totalBytes))"
                ))
        }
        parts += speed(view.bytesPerSecond, secondsLeft: view.secondsLeft)
        let what = stage(view.stage)
        return parts.isEmpty ? "\(what) …" : "\(what): \(parts.joined(separator: ", "))"
    }

    /// `sending 12 files (40 MB), 3.1 MB/s, 13 seconds left`; nil when nothing moves or waits.
    static func flow(_ flow: ActivityView.Flow, isSending: Bool) -> String? {
        guard flow.waiting != .nothing || flow.bytesPerSecond != nil else { return nil }
        let what = flow.waiting == .nothing ? [] : [Sentence.waiting(flow.waiting)]
        let parts = what + speed(flow.bytesPerSecond, secondsLeft: flow.secondsLeft)
        return "\(isSending ? tr("sending") : tr("getting")) \(parts.joined(separator: ", "))"
    }

    private static func stage(_ stage: ProgressView.Stage) -> String {
        switch stage {
        case .reading: tr("Reading")
        case .reaching: tr("Calling other devices")
        case .syncing: tr("Syncing")
        case .adding: tr("Adding")
        case .encrypting: tr("Encrypting")
        case .saving: tr("Saving")
        case .exporting: tr("Writing")
        case .verifying: tr("Verifying")
        }
    }

    private static func speed(_ bytesPerSecond: Int64?, secondsLeft: Int?) -> [String] {
        [
            bytesPerSecond.map { "\(Sentence.size($0))/s" },
            secondsLeft.flatMap { $0 > 0 ? tr("\(Sentence.Status.duration($0)) left") : nil },
        ].compactMap(\.self)
    }
}
