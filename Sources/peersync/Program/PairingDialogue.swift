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
                        \.pairing.poll, id: view.id,
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
            _ = await Task { try await service.call(\.pairing.cancel, id: id) }.result
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
        if view.code != nil { output.remark(Sentence.Pairing.atAddress(view)) }
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
        output.fleeting(Sentence.Pairing.remaining(seconds: left))
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
            tr("The code is right.") + " " + Sentence.Pairing.whoIsThere(other), compare,
        ].joined(separator: "\n")
        if context.prompt.answersYes {
            output.remark(explained)
            return try await answer(true, view.id)
        }
        let question = explained + "\n" + Sentence.Pairing.askConfirm(other)
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
        try await service.call(\.pairing.decide, id: id, PairingDecision(accept: accept))
    }

    /// Returns once the pairing no longer waits for this person's answer.
    private static func whenOver(
        _ view: PairingView, _ service: any AgentService
    ) async throws -> PairingView {
        var view = view
        while view.phase == .confirm {
            view = try await service.call(
                \.pairing.poll, id: view.id,
                RevisionPoll(knownRevision: view.revision, waitSeconds: 5))
        }
        return view
    }

    private func finish(_ view: PairingView) {
        output.say(Sentence.Pairing.stored(view.other))
        output.remark(Sentence.Pairing.nextSteps(view.other))
    }
}
