import Agent
import LocalAPI
import Networking
import Records
import SyncCore
import TestDevices
import Testing

@Suite("Pairing of agents over the loopback network", .timeLimit(.minutes(1)))
struct PairingServiceTests {
    private typealias Three = (host: TestAgent, friend: TestAgent, other: TestAgent)

    private func three(_ body: (Three, _ address: String) async throws -> Void) async throws {
        try await TestAgent.with("Ann") { host in
            try await TestAgent.with("Ben") { friend in
                try await TestAgent.with("Eve") { other in
                    for agent in [host, friend, other] {
                        try await agent.runtime.startNetwork(advertises: false)
                    }
                    let port = try #require(await host.runtime.network.port)
                    try await body((host, friend, other), "127.0.0.1:\(port)")
                }
            }
        }
    }

    private func join(
        _ agent: TestAgent, _ code: String, at address: String
    ) async throws -> PairingView {
        try await agent.service.call(
            \.devices.pairing.join,
            JoinRequest(codeOrLink: code, mine: false, address: address, replacePerson: false))
    }

    /// The pairing once it is in one of these phases, or ended.
    private func view(
        _ agent: TestAgent, _ id: String, in phases: PairingView.Phase...
    ) async throws -> PairingView {
        while true {
            let view = try await agent.service.call(
                \.devices.pairing.poll, id: id, RevisionPoll(knownRevision: 0, waitSeconds: 0))
            if phases.contains(view.phase) || view.phase == .failed { return view }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func accept(_ agent: TestAgent, _ id: String) async throws {
        _ = try await view(agent, id, in: .confirm)
        _ = try await agent.service.call(
            \.devices.pairing.decide, id: id, PairingDecision(accept: true))
    }

    @Test("Other callers, with another code or the same, do not end a pairing")
    func bystander() async throws {
        try await three { agents, address in
            // given a pairing that waits for both people's yes
            let shown = try await agents.host.service.call(
                \.devices.pairing.open, PairingRequest(asLink: false))
            let code = try #require(shown.code)
            let joined = try await join(agents.friend, code, at: address)
            #expect(try await view(agents.host, shown.id, in: .confirm).phase == .confirm)
            // when a stranger calls
            for typed in ["11-1111-1111", code] {
                let late = try await join(agents.other, typed, at: address)
                #expect(try await view(agents.other, late.id, in: .stored).phase == .failed)
            }
            // then it goes on
            try await accept(agents.host, shown.id)
            try await accept(agents.friend, joined.id)
            #expect(try await view(agents.host, shown.id, in: .stored).phase == .stored)
            #expect(try await view(agents.friend, joined.id, in: .stored).phase == .stored)
            let names = try await agents.host.service.call(\.devices.list).map(\.person.name)
            #expect(names == ["Ben"])
        }
    }

    @Test("A new code replaces the previous one, which becomes useless")
    func replaced() async throws {
        try await three { agents, address in
            let first = try await agents.host.service.call(
                \.devices.pairing.open, PairingRequest(asLink: false))
            let second = try await agents.host.service.call(
                \.devices.pairing.open, PairingRequest(asLink: false))
            let old = try await view(agents.host, first.id)
            #expect(old.phase == .failed && old.failure == .pairingReplaced)
            let late = try await join(agents.friend, try #require(first.code), at: address)
            #expect(try await view(agents.friend, late.id).phase == .failed)
            // then the second one works as the first did
            let joined = try await join(agents.friend, try #require(second.code), at: address)
            try await accept(agents.host, second.id)
            try await accept(agents.friend, joined.id)
            #expect(try await view(agents.friend, joined.id, in: .stored).phase == .stored)
        }
    }

    @Test("A second join on one device is told of the first one on the same device")
    func joinsTwice() async throws {
        try await three { agents, address in
            // given
            let shown = try await agents.host.service.call(
                \.devices.pairing.open, PairingRequest(asLink: false))
            let code = try #require(shown.code)
            let joined = try await join(agents.friend, code, at: address)
            _ = try await view(agents.friend, joined.id, in: .confirm)
            // then
            await #expect(throws: APIError.alreadyJoining) {
                // when
                _ = try await join(agents.friend, code, at: address)
            }
        }
    }

    @Test("Cancelling while the other side decides ends it on both")
    func cancelled() async throws {
        try await three { agents, address in
            let shown = try await agents.host.service.call(
                \.devices.pairing.open, PairingRequest(asLink: false))
            let joined = try await join(
                agents.friend, try #require(shown.code), at: address)
            _ = try await view(agents.friend, joined.id, in: .confirm)
            let ended = try await agents.friend.service.call(
                \.devices.pairing.cancel, id: joined.id)
            #expect(ended.phase == .failed)
            #expect(try await view(agents.host, shown.id).phase == .failed)
            #expect(try await agents.host.service.call(\.devices.list).isEmpty)
        }
    }

    @Test("After a no it has ended on both sides, and the other side hears who declined")
    func declined() async throws {
        for hostDeclines in [true, false] {
            try await three { agents, address in
                let shown = try await agents.host.service.call(
                    \.devices.pairing.open, PairingRequest(asLink: false))
                let joined = try await join(
                    agents.friend, try #require(shown.code), at: address)
                let (no, yes) =
                    hostDeclines
                    ? ((agents.host, shown.id), (agents.friend, joined.id))
                    : ((agents.friend, joined.id), (agents.host, shown.id))
                try await accept(yes.0, yes.1)
                _ = try await view(no.0, no.1, in: .confirm)
                let ended = try await no.0.service.call(
                    \.devices.pairing.decide, id: no.1, PairingDecision(accept: false))
                #expect(ended.phase == .failed)
                #expect(
                    ended.failure?.sentence == "You said no, so the devices are not paired.")
                let heard = try await view(yes.0, yes.1)
                #expect(heard.failure == PairingSentence.otherSideDeclined(heard.other))
                let who = hostDeclines ? "Ann" : "Ben"
                let sentence = heard.failure?.sentence ?? ""
                #expect(sentence.contains("laptop\u{201D} of \(who) said no"))
                // A later answer changes nothing and is not an error.
                let late = try await yes.0.service.call(
                    \.devices.pairing.decide, id: yes.1, PairingDecision(accept: true))
                #expect(late.phase == .failed)
                #expect(try await agents.host.service.call(\.devices.list).isEmpty)
                #expect(try await agents.friend.service.call(\.devices.list).isEmpty)
            }
        }
    }

    @Test("Each used-up code is reported to the person who shows it, and the third closes pairing")
    func burned() async throws {
        try await three { agents, address in
            for round in 1...3 {
                let shown = try await agents.host.service.call(
                    \.devices.pairing.open, PairingRequest(asLink: false))
                let code = try #require(shown.code)
                let wrong = code.dropLast() + (code.last == "1" ? "2" : "1")
                let joined = try await join(agents.other, String(wrong), at: address)
                let heard = try await view(agents.other, joined.id).failure?.sentence
                #expect(heard == "The code was not the one the other device shows.")
                let told = try await view(agents.host, shown.id).failure?.sentence
                #expect(
                    told
                        == (round == 3
                            ? "Three codes were used up by wrong attempts, so pairing is closed."
                            : "Someone typed a wrong code, so this code is used up."))
            }
            // A person's request for a new code opens pairing again.
            let shown = try await agents.host.service.call(
                \.devices.pairing.open, PairingRequest(asLink: false))
            let joined = try await join(agents.friend, try #require(shown.code), at: address)
            try await accept(agents.host, shown.id)
            try await accept(agents.friend, joined.id)
            #expect(try await view(agents.friend, joined.id, in: .stored).phase == .stored)
        }
    }

    @Test("If no code or another one is shown, no message says that a code is used up")
    func elsewhere() async throws {
        try await three { agents, address in
            let closed = try await join(agents.friend, "7-4827-1956", at: address)
            #expect(
                try await view(agents.friend, closed.id).failure
                    == PairingSentence.noCodeShown(address))
            let shown = try await agents.host.service.call(
                \.devices.pairing.open, PairingRequest(asLink: false))
            let plate = try #require(shown.code).hasPrefix("7-") ? "8" : "7"
            let other = try await join(agents.friend, "\(plate)-4827-1956", at: address)
            #expect(
                try await view(agents.friend, other.id).failure
                    == PairingSentence.noCodeShown(address))
            // and the shown code still works
            #expect(try await view(agents.host, shown.id, in: .waiting).phase == .waiting)
        }
    }
}
