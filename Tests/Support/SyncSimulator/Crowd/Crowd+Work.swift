import SyncCore

/// The work of the agent around an engine, and its checks.
extension Crowd {
    func carryOut(_ action: EngineAction, _ device: CrowdDevice) {
        switch action {
        case .verify(let session, let space, let commits, let pinned):
            guard device.isUp else { return }
            let verified = commits.map {
                VerifiedCommit(verified: $0, facts: []).leadingToPin(ifIn: pinned)
            }
            perform(.apply(space, verified, .sound, from: session), device)
        case .apply(_, let commits, _, let session):
            post(.applied(device.apply(commits), from: session), to: device)
        case .load(let session, let space, let watermark, let after):
            post(
                .loaded(session, space, device.page(beyond: watermark, after: after)),
                to: device)
        case .acknowledge(let space, let watermark):
            guard device.ledger.watermark.covers(watermark) else {
                violations.append("\(device.index) acknowledges what it has not stored")
                return
            }
            let ack = Ack(
                space: space, device: device.device, counter: device.acks.nextOwn(),
                watermark: watermark)
            let signature = [UInt8](repeating: 0, count: Limits.signatureBytes)
            post(
                .ackSigned(UnverifiedAck(ack, bytes: [], signature: signature)), to: device)
        case .verifyAck(let ack, let session):
            check(ack.said, heardBy: device)
            if device.acks.hear(ack.said) { post(.ackStored(ack, from: session), to: device) }
        default: break
        }
    }

    /// A statement about a device is true: it holds that much.
    private func check(_ ack: Ack, heardBy device: CrowdDevice) {
        guard let author = devices.first(where: { $0.device == ack.device }) else { return }
        if !author.ledger.watermark.covers(ack.watermark) {
            violations.append("\(device.index) hears of \(author.index) what is not true")
        }
    }

    /// At the end: all hold the same, none received a commit too often, none waits.
    package func checkEnd() {
        guard let first = devices.first else { return }
        for device in devices where device.ledger.watermark != first.ledger.watermark {
            violations.append("\(device.index) and \(first.index) differ")
        }
        for device in devices where Set(device.commits.map(\.id)).count != device.commits.count {
            violations.append("\(device.index) stored a commit twice")
        }
    }
}
