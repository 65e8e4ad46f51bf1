import Device
import SyncCore
import Testing

@Suite("The engine's loop")
struct EngineLoopTests {
    @Test("An event posted after the end does not wait for ever")
    func submitAfterEnd() async {
        let loop = EngineLoop(
            engine: Engine(device: DeviceID(.zero), person: PersonID(.zero)), clock: AgentClock())
        loop.finish()
        await loop.run(NoActions())
        await loop.submit(.tick)
    }
}

private struct NoActions: EngineActions {
    func perform(_: EngineAction) {}
}
