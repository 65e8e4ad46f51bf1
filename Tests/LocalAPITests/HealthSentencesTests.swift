import LocalAPI
import Testing

@Suite("What the doctor says of files")
struct HealthSentencesTests {
    @Test("several damaged files are set aside and fetched, not one of them")
    func numbers() {
        #expect(advice(1, Sentence.Health.filesDamaged).hasSuffix("from another device."))
        #expect(
            advice(2, Sentence.Health.filesDamaged).hasSuffix(
                "fetches them again from other devices."))
        #expect(
            advice(1, Sentence.Health.filesGone).hasSuffix("fetches it again from another device."))
        #expect(
            advice(2, Sentence.Health.filesGone).hasSuffix("fetches them again from other devices.")
        )
    }

    private func advice(
        _ number: Int, _ words: (Int, String) -> Sentence.Health.Words
    ) -> String {
        words(number, "film.bin").remedy ?? ""
    }
}
