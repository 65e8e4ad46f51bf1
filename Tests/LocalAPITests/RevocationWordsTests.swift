import LocalAPI
import Testing

@Suite("Words for a trip that this device may not read any more")
struct RevocationWordsTests {
    private func words(isMine: Bool, isWholePerson: Bool) -> String {
        let revocation = Sentence.Problem.Revocation(
            by: isMine ? "Ben" : "Ann", isMine: isMine, ago: "just now",
            isWholePerson: isWholePerson)
        let words = Sentence.Problem.taken(
            "Crete", isTrip: true, by: revocation, changes: 7, files: 0)
        return words.sentence
    }

    @Test("A trip that its person left on another device is called left, not taken")
    func left() {
        // given
        let begin = "You left the trip “Crete” on another device, just now. What is here stays"
        // when
        let said = words(isMine: true, isWholePerson: true)
        // then
        #expect(said.hasPrefix(begin))
    }

    @Test("A trip that somebody took from a person, or a person from a device, is called taken")
    func taken() {
        #expect(
            words(isMine: false, isWholePerson: true)
                .hasPrefix("The trip “Crete” was taken from you by Ann, just now. "))
        #expect(
            words(isMine: true, isWholePerson: false)
                .hasPrefix("The trip “Crete” was taken from this device by you, just now. "))
    }
}
