import Device
import Status
import SyncCore
import Testing

@Suite("Commands that wait for a sync")
struct SyncRequestsTests {
    @Test("A sync that waits is answered when the network goes away, and later ones at once")
    func closedRequests() async {
        // given a loop that never runs, so that nothing is ever done
        let loop = EngineLoop(
            engine: Engine(device: DeviceID(.zero), person: PersonID(.zero)), clock: AgentClock())
        let requests = SyncRequests()
        async let waiting = requests.run(on: loop)
        // when the network goes away
        try? await Task.sleep(for: .milliseconds(50))
        requests.close()
        // then
        #expect(await waiting == false)
        #expect(await requests.run(on: loop) == false)
    }
}
