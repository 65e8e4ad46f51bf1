import LocalAPI
import Testing

@Suite("Words about a space that waits for an answer")
struct InvitationWordsTests {
    private typealias Problem = Sentence.Problem

    @Test("A founder whose space comes back is not told that somebody gives it")
    func founder() {
        // when
        let own = Problem.invitation(from: nil, to: "Training", as: .admin, isTrip: false)
        // then
        // Only that device says so, and it may be anybody's.
        #expect(
            own.sentence.hasPrefix("Another device says that you made the space “Training”"))
        #expect(own.remedy == "Bring it back: peersync space accept Training")
    }

    @Test("Others are told who gives it, as far as that is known")
    func others() {
        let known = Problem.invitation(from: "Ann", to: "Arezzo", as: .admin, isTrip: true)
        #expect(known.sentence == "Ann gives you the trip “Arezzo”.")
        let unknown = Problem.invitation(from: nil, to: "Arezzo", as: .viewer, isTrip: true)
        #expect(unknown.sentence == "You are given the trip “Arezzo”.")
        #expect(unknown.remedy == "peersync trip accept Arezzo")
    }
}
