import LocalAPI
import Testing

/// The words for fields and records in texts for people.
@Suite("Fields and records of the journal have German names")
struct GermanWordsTests {
    private func german(_ text: () -> String) -> String {
        Language.$asked.withValue(.german, operation: text)
    }

    @Test("A conflict names its field and its record in the language of its reader")
    func conflict() {
        let conflict = Samples.conflict
        #expect(Sentence.Conflicts.heading(conflict).hasPrefix("title of "))
        let heading = german { Sentence.Conflicts.heading(conflict) }
        #expect(heading.hasPrefix("Titel von "))
        #expect(heading.contains("(Erinnerung)"))
    }

    @Test("Collections are called as the log calls their records")
    func collections() {
        #expect(german { Sentence.Changes.noun("tag_category") } == "Kategorie")
        #expect(german { Sentence.Changes.noun("media") } == "Datei")
        #expect(german { Sentence.Changes.noun("product") } == "product")
        #expect(Sentence.Changes.noun("media") == "media")
    }
}
