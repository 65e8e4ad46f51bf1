import LocalAPI
import Testing

/// The words for fields and records in texts for people.
@Suite("Fields and records of the journal have German names")
struct GermanWordsTests {
    private func german(_ text: () -> String) -> String {
        Language.$asked.withValue(.german, operation: text)
    }

    @Test("Collections are called as the log calls their records")
    func collections() {
        #expect(german { Sentence.Changes.noun("tag_category") } == "Kategorie")
        #expect(german { Sentence.Changes.noun("media") } == "Datei")
        #expect(german { Sentence.Changes.noun("product") } == "product")
        #expect(Sentence.Changes.noun("media") == "media")
    }

    @Test("A field before its value is called so that both together are true")
    func labels() {
        #expect(german { Sentence.Changes.label("active") } == "läuft")
        #expect(german { Sentence.Changes.field("active") } == "Abschluss")
        #expect(german { Sentence.Changes.label("title") } == "Titel")
    }
}
