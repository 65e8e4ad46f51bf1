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

    @Test("Parts of a memory stand apart from what else was added")
    func parts() {
        // given
        let memory = ChangeView(
            .added, noun: "memory", names: ["Hut"],
            parts: [.init(noun: "photo", count: 2), .init(noun: "track", count: 1)])
        let tag = ChangeView(.added, noun: "tag", names: ["food"])
        // then
        let words = "Erinnerung „Hut“ (2 Fotos und 1 Track) und Schlagwort „food“ hinzugefügt"
        #expect(german { Sentence.Changes.text([memory, tag]) } == words)
    }

    @Test("Changed fields and added parts stand in one bracket")
    func fieldsAndParts() {
        // given
        let memory = ChangeView(
            .changed, noun: "memory", names: ["Hut"], fields: ["text"],
            parts: [.init(noun: "photo", count: 1)])
        // then
        #expect(
            german { Sentence.Changes.text([memory]) }
                == "Erinnerung „Hut“ (Text; 1 Foto) geändert")
        #expect(
            Sentence.Changes.text([memory]) == "changed text of the memory “Hut” with 1 photo")
    }

    @Test("A person's own lists are not called a trip")
    func ownLists() {
        let device = Reference(id: "k2", shortID: "k2", name: "phone")
        let change = ChangeView(.tookFromDevice, noun: "lists", person: device)
        let text = german { Sentence.Changes.text([change]) }
        #expect(text.hasPrefix("eigene Listen "), "\(text)")
    }

    @Test("A device that was found gets back what was taken from it")
    func foundDevice() {
        // given
        let device = Reference(id: "k2", shortID: "k2", name: "phone")
        let trip = ChangeView(.returnedToDevice, noun: "trip", person: device)
        let lists = ChangeView(.returnedToDevice, noun: "lists", person: device)
        // then
        #expect(
            german { Sentence.Changes.text([trip]) } == "Reise dem Gerät phone zurückgegeben")
        #expect(
            german { Sentence.Changes.text([lists]) }
                == "eigene Listen dem Gerät phone zurückgegeben")
        let english = "gave back your own lists to the device phone"
        #expect(Sentence.Changes.text([lists]) == english)
    }

    @Test("A field before its value is called so that both together are true")
    func labels() {
        #expect(german { Sentence.Changes.label("active") } == "läuft")
        #expect(german { Sentence.Changes.field("active") } == "Abschluss")
        #expect(german { Sentence.Changes.label("title") } == "Titel")
    }
}
