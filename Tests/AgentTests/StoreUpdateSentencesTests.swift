import Device
import LocalAPI
import Store
import Testing

struct StoreUpdateSentencesTests {
    @Test("an update without room says that nothing was changed, and how much must be free")
    func noRoom() throws {
        let error = ErrorSentence.of(
            StoreError.noRoomToUpdate(
                folder: "/home/ann/data", needed: 52_000_000, free: 12_000_000))
        #expect(error.sentence.hasSuffix("Nothing was changed."))
        let hint = try #require(error.hint)
        #expect(hint.contains("/home/ann/data"))
        #expect(hint.contains("52 MB must be free, and 12 MB are."))

        let unknown = ErrorSentence.of(
            StoreError.noRoomToUpdate(folder: "/home/ann", needed: 52_000_000, free: nil))
        #expect(unknown.hint?.contains("52 MB must be free. ") == true)
    }

    @Test("a failed update tells the reason, and the place of the former store")
    func failed() {
        let error = ErrorSentence.of(
            StoreError.notUpdated("no", former: "/home/ann/store.sqlite.format-15"))
        #expect(error.sentence == "The store could not be opened: no.")
        #expect(error.hint?.contains("/home/ann/store.sqlite.format-15") == true)
    }
}
