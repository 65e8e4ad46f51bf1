internal import Foundation
internal import LocalAPI

/// Follows one pairing to its end: shows the code and its remaining time, asks to confirm the
/// other's name, and reports the result. Both sides use it.
///
/// With `--json` every change is one line of JSON. Otherwise, if standard output is not a terminal,
/// the first line contains only the code or link.
struct PairingDialogue {
    let context: CommandContext
    let service: any AgentService
    let me: InfoView

    private var output: Output { context.output }

    /// Returns when the pairing is stored. Throws its failure; cancels it if the task is cancelled.
    func follow(_ first: PairingView) async throws {
        var view = first
        do {
            try showStart(view)
            var shown = PairingView.Phase.waiting
            while true {
                if view.phase != shown {
                    output.fleeting("")
                    try announce(view)
                    shown = view.phase
                }
                switch view.phase {
                case .stored: return finish(view)
                case .failed: throw view.failure ?? .pairingCancelled
                case .confirm: view = try await decide(view)
                case .waiting, .connected, .confirmed:
                    showCountdown(view)
                    view = try await service.call(
                        \.devices.pairing.poll, id: view.id,
                        RevisionPoll(
                            knownRevision: view.revision,
                            waitSeconds: countsDown(view) ? 1 : 5))
                }
            }
        } catch is CancellationError {
            output.fleeting("")
            let id = view.id
            let service = service
            // In its own task, as this one is cancelled; if the agent is gone, so is the code.
            _ = await Task { try await service.call(\.devices.pairing.cancel, id: id) }.result
            throw APIError.pairingCancelled
        }
    }

    private func showStart(_ view: PairingView) throws {
        if output.json { return try output.event(view) }
        guard let shown = view.code ?? view.link else {
            return output.remark(tr("Looking for the other device\u{2026}"))
        }
        let how =
            view.code == nil
            ? tr("On the other device, run 'peersync join' and paste this link:")
            : tr("On the other device, run 'peersync join' and type this code:")
        if output.terminal.outputIsTerminal {
            output.say("\(how)\n\n    \(Style.bold(shown))\n")
        } else {
            output.say(shown)
            output.remark(how)
        }
        // A link contains its address.
        if view.code != nil { output.remark(atAddress(view)) }
    }

    private func announce(_ view: PairingView) throws {
        if output.json { return try output.event(view) }
        switch view.phase {
        case .connected: output.remark(tr("Connected. Checking the code\u{2026}"))
        case .confirmed:
            output.remark(
                (view.other?.mine ?? false)
                    ? tr("Waiting for the yes on the other device\u{2026}")
                    : tr("Waiting for the other person to say yes\u{2026}"))
        case .waiting, .confirm, .stored, .failed: break
        }
    }

    private func countsDown(_ view: PairingView) -> Bool {
        view.phase == .waiting && view.expires != nil && output.terminal.errorIsTerminal
            && !output.json
    }

    private func showCountdown(_ view: PairingView) {
        guard countsDown(view), let expires = view.expires else { return }
        let left = max(0, Int(expires.date.timeIntervalSinceNow.rounded(.up)))
        output.fleeting(remaining(seconds: left))
    }

    /// Asks, and passes the answer on. Also returns if there is nothing left to answer, because the
    /// other person declined or went away.
    private func decide(_ view: PairingView) async throws -> PairingView {
        guard let other = view.other else { throw APIError.pairingCancelled }
        let compare =
            other.mine
            ? tr(
                """
                Compare: that must be your other device, and its screen must show this one: \
                \(Sentence.name(me.device.name)). Otherwise say no.
                """)
            : tr(
                """
                Compare: that must be the name of the person or device next to you, and their screen \
                must show yours: \(Sentence.plain(me.person.name)), \
                \(Sentence.name(me.device.name)). Otherwise say no.
                """)
        let explained = [
            tr("The code is right.") + " " + whoIsThere(other), compare,
        ].joined(separator: "\n")
        if context.prompt.answersYes {
            output.remark(explained)
            return try await answer(true, view.id)
        }
        let question = explained + "\n" + askConfirm(other)
        let (prompt, service) = (context.prompt, service)
        return try await withThrowingTaskGroup(of: Step.self) { group in
            defer { group.cancelAll() }
            group.addTask { .answered(try await prompt.confirm(question)) }
            group.addTask { .ended(try await Self.whenOver(view, service)) }
            switch try await group.next() {
            case .answered(let accept): return try await answer(accept, view.id)
            case .ended(let ended):
                // The question is on the line without a line break.
                output.ask("\n")
                return ended
            case nil: return view
            }
        }
    }

    private enum Step {
        case answered(Bool)
        case ended(PairingView)
    }

    private func answer(_ accept: Bool, _ id: String) async throws -> PairingView {
        try await service.call(\.devices.pairing.decide, id: id, PairingDecision(accept: accept))
    }

    /// Returns once the pairing no longer waits for this person's answer.
    private static func whenOver(
        _ view: PairingView, _ service: any AgentService
    ) async throws -> PairingView {
        var view = view
        while view.phase == .confirm {
            view = try await service.call(
                \.devices.pairing.poll, id: view.id,
                RevisionPoll(knownRevision: view.revision, waitSeconds: 5))
        }
        return view
    }

    private func finish(_ view: PairingView) {
        output.say(stored(view.other))
        output.remark(nextSteps(view.other))
    }

    static var confirmationWillBeAsked: String {
        tr("Is the name on the other side the one you expect?")
    }

    /// The command for joining where this device cannot be discovered.
    private func atAddress(_ view: PairingView) -> String {
        let addresses = view.addresses ?? []
        guard let first = addresses.first else {
            return tr(
                """
                This computer is not connected to a network: nobody can use the code until it \
                is.
                """)
        }
        let others = addresses.dropFirst()
        let also = others.isEmpty ? "" : tr("  (or \(others.joined(separator: ", ")))")
        let join = "peersync join --at \(first)\(also)"
        guard view.discovery == .noAvahi else {
            return tr("If it does not find this one: \(join)")
        }
        return tr(
            """
            Avahi does not run here, so the other device cannot find this one by itself. Run there:

                \(join)

            To be found: \(view.remedy ?? "peersync doctor network")
            """)
    }

    private func remaining(seconds: Int) -> String {
        let padded = seconds % 60 < 10 ? "0\(seconds % 60)" : "\(seconds % 60)"
        return tr("Works once, for another \(seconds / 60):\(padded). Ctrl-C to stop.")
    }

    private func whoIsThere(_ other: PairingView.Other) -> String {
        other.mine
            ? tr(
                """
                The other device is \(Sentence.name(other.deviceName)) of \
                \(Sentence.plain(other.personName)).
                """)
            : tr(
                """
                The other person is \(Sentence.plain(other.personName)), with the device \
                \(Sentence.name(other.deviceName)).
                """)
    }

    private func askConfirm(_ other: PairingView.Other) -> String {
        other.mine
            ? tr("Make both devices belong to \(Sentence.plain(other.personName))?")
            : tr("Pair with \(Sentence.plain(other.personName))?")
    }

    private func stored(_ other: PairingView.Other?) -> String {
        guard let other else { return tr("Paired.") }
        return other.mine
            ? tr(
                """
                Done: this device and \(Sentence.name(other.deviceName)) both belong to \
                \(Sentence.plain(other.personName)).
                """)
            : tr(
                "Paired with \(Sentence.plain(other.personName)) (\(Sentence.plain(other.deviceName)))."
            )
    }

    private func nextSteps(_ other: PairingView.Other?) -> String {
        guard let other, !other.mine else {
            return tr("Next: 'peersync service install' on both keeps them in sync.")
        }
        return tr(
            """
            Nothing is shared yet. To share a trip: \
            peersync trip grant TRIP \(Sentence.quoted(other.personName))
            """)
    }
}
