import Testing
import peersync

@Suite("A command waits for an agent that gives signs of life")
struct SignsOfLifeTests {
    /// What is seen of the process each second, and the second in which the command gives up.
    private func secondOfEnd(
        _ seen: [AgentProcess?], silentSince silence: Int? = 0
    ) -> Int? {
        let began = ContinuousClock.now
        var signs = SignsOfLife()
        return seen.enumerated().first { second, process in
            signs.areOver(
                process, silentSince: silence.map { began + .seconds($0) },
                at: began + .seconds(second))
        }?.offset
    }

    private func still(isStopped: Bool = false) -> [AgentProcess?] {
        Array(
            repeating: AgentProcess(isStopped: isStopped, isBusy: false, ticks: 7), count: 30)
    }

    @Test("One that is stopped, or does nothing, is given up within ten seconds")
    func silent() {
        #expect(secondOfEnd(still(isStopped: true)) == 9)
        #expect(secondOfEnd(still()) == 9)
        #expect(secondOfEnd(still(), silentSince: 4) == 13)
    }

    @Test("One that works, waits for a disk or cannot be seen is waited for")
    func busy() {
        let working = (0..<60).map { AgentProcess(isStopped: false, isBusy: false, ticks: $0) }
        #expect(secondOfEnd(working) == nil)
        let waiting = AgentProcess(isStopped: false, isBusy: true, ticks: 7)
        #expect(secondOfEnd(Array(repeating: waiting, count: 60)) == nil)
        #expect(secondOfEnd(Array(repeating: nil, count: 60)) == nil)
        #expect(secondOfEnd(still(), silentSince: nil) == nil)
        #expect(secondOfEnd(Array(working.prefix(5)) + still()) == 14)
    }

    @Test("The state, the work and the threads are read from the kernel's lines")
    func lines() {
        func stat(_ state: String) -> String {
            "812 (peer) sync) \(state) 1 812 812 0 -1 4194560 900 0 0 0 30 12 0 0 20 0 9 0 55 1 2"
        }
        let stopped = AgentProcess(stat: stat("T"), threads: [stat("T")])
        #expect(stopped == AgentProcess(isStopped: true, isBusy: false, ticks: 42))
        let waiting = AgentProcess(stat: stat("S"), threads: [stat("S"), stat("D")])
        #expect(waiting == AgentProcess(isStopped: false, isBusy: true, ticks: 42))
        #expect(AgentProcess(stat: "", threads: []) == nil)
    }
}
