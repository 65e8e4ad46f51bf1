internal import LocalAPI

/// Where a record is stored: one line per device, with remedies below it.
enum WhyText {
    static func rendered(_ why: WhyView) -> String {
        let subject = why.subject
        let name = subject.name.isEmpty ? subject.shortID : subject.name
        let noun = subject.collection.map { Sentence.Changes.noun($0) }
        let place = [noun, subject.shortID].compactMap(\.self).joined(separator: " ")
        let heading = Printable.line(tr("\(name) (\(place)) in \(subject.space.name)"))
        var lines = [
            "\(Symbols.of(why.status)) \(Style.bold(heading))  \(StandingText.of(why.status))"
        ]
        for device in why.devices {
            let own = device.here ? " (\(tr("this device")))" : " (\(device.person.name))"
            let reasons = device.reasons.map(\.sentence).joined(separator: "; ")
            let line =
                "\(device.device.name)\(own) \(device.sentence)"
                + (reasons.isEmpty ? "" : ": \(reasons)")
            lines.append("  \(symbol(device)) \(Printable.line(line, isWhole: true))")
            if let remedy = device.remedy {
                lines.append("    \(Printable.line(remedy, isWhole: true))")
            }
        }
        return (lines + ["", Style.bold(why.verdict)]).joined(separator: "\n")
    }

    private static func symbol(_ device: WhyView.Device) -> String {
        let kinds = device.reasons.map(\.kind)
        let isTrouble = kinds.contains { kind in
            switch kind {
            case .failed, .diskFull, .lost, .storeStopped, .roleLost, .schema, .conflict,
                .distrusted, .otherKey, .foreignVersion, .diskFullThere:
                true
            default: false
            }
        }
        if isTrouble { return Symbols.of(SyncState.error) }
        if device.state == .complete { return Symbols.of(SyncState.synced) }
        if kinds.contains(.moving) { return Symbols.of(SyncState.syncing) }
        let isAway = kinds.contains { [.notConnected, .noWay, .callFailed, .silent].contains($0) }
        return Symbols.of(isAway ? SyncState.offline : SyncState.pending)
    }
}
