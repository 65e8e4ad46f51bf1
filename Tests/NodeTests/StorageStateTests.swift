import LocalAPI
import Node
import Testing

@Suite("Whether this device can write")
struct StorageStateTests {
    private let broken = APIError(
        code: .noAgent, sentence: "No agent answers on this computer.",
        hint: "Start one: \(Sentence.startAgent)")

    @Test("A full disk is told once, and once more when there is room")
    func full() {
        var state = StorageState()
        let consequences = [
            state.failed(.full, store: nil, isAwaited: false),
            state.failed(.full, store: nil, isAwaited: true),
            state.failed(.full, store: nil, isAwaited: false),
            state.noted(isFull: false), state.noted(isFull: false), state.noted(isFull: true),
        ]
        #expect(
            consequences == [
                [.tellFull(true), .awaitRoom], [], [.awaitRoom], [.tellFull(false)], [],
                [.tellFull(true)],
            ])
        #expect(state.isFull && state.fault(ofStore: nil) == nil)
    }

    @Test("A store that is opened for reading waits for room, and does not end sync a second time")
    func reading() {
        var state = StorageState()
        let consequences = [
            state.openedForReading(),
            state.failed(.full, store: broken, isAwaited: true),
            state.noted(isFull: false),
        ]
        #expect(consequences == [[.tellFull(true), .awaitRoom], [], [.tellFull(false)]])
    }

    @Test("A file that cannot be made durable ends sync once, and stays the reason")
    func files() {
        var state = StorageState()
        let consequences = [
            state.failed(.other, store: nil, isAwaited: false),
            state.failed(.broken(broken), store: nil, isAwaited: false),
            state.failed(.broken(.stopped), store: nil, isAwaited: false),
            state.failed(.full, store: nil, isAwaited: true),
        ]
        #expect(consequences == [[], [.endSync(broken)], [], [.tellFull(true)]])
        #expect(state.fault(ofStore: nil) == broken)
    }

    @Test("A store that fails ends sync whatever the write ran into, and is the reason")
    func store() {
        var state = StorageState()
        let consequences = [
            state.failed(.other, store: broken, isAwaited: false),
            state.failed(.other, store: broken, isAwaited: false),
        ]
        #expect(consequences == [[.endSync(broken)], []])
        #expect(state.fault(ofStore: broken) == broken && state.fault(ofStore: nil) == nil)
    }
}
