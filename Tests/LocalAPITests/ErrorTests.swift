import LocalAPI
import Testing

struct ErrorTests {
    @Test("After an undo without an answer, people look first before they repeat it")
    func unansweredUndo() {
        #expect(APIError.agentWentAway.hint?.contains("repeat the command") == true)
        let undo = APIError.agentWentAway.ofUndo
        #expect(undo.hint?.hasSuffix("repeat the command: peersync history") == true)
        #expect(APIError.diskFull.ofUndo == .diskFull)
    }

    @Test("A mistake in a data set that is a whole sentence ends with one full stop")
    func dataSetMistake() {
        // given
        let reasons = ["the key is there twice", "There is no file a.csv."]
        // when
        let sentences = reasons.map { reason in
            Sentence.DataSet.hasMistakes(
                DataSetCheck(
                    name: "a", schema: "b", levels: [],
                    mistakes: [.init(file: "a.csv", line: nil, reason: reason)])
            ).sentence
        }
        // then
        #expect(
            sentences == [
                "The data set has a mistake: a.csv: the key is there twice.",
                "The data set has a mistake: a.csv: There is no file a.csv.",
            ])
    }

    @Test("an error arrives whole, with hint and candidates", arguments: APIError.Code.allCases)
    func errorArrives(code: APIError.Code) async throws {
        // given
        let error = APIError(
            code: code, sentence: "Which \u{201C}Ar\u{201D}?", hint: "More.",
            candidates: [.init(id: "t1", shortID: "t", name: "Arles")])

        // when
        let thrown = await #expect(throws: APIError.self) {
            try await withServer(RecordingService(failure: error)) { path in
                try await LocalClient(socketPath: path).call(\.trips.show, id: "Ar")
            }
        }

        // then
        #expect(thrown == error)
    }

    @Test("an unforeseen error becomes a sentence, not a broken connection")
    func unforeseenError() async throws {
        struct Surprise: Error {}

        let thrown = await #expect(throws: APIError.self) {
            try await withServer(RecordingService(failure: Surprise())) { path in
                try await LocalClient(socketPath: path).call(\.trips.list)
            }
        }

        #expect(thrown?.code == .failed)
        #expect(thrown?.sentence.contains("Surprise") == true)
    }

    @Test("a socket without an agent gets its own sentence")
    func noServer() async {
        let client = LocalClient(socketPath: "/tmp/peersync-nobody.sock")
        let thrown = await #expect(throws: APIError.self) { try await client.call(\.agent.info) }
        #expect(thrown?.code == .noAgent)
    }

    @Test("a socket path the system cannot hold is refused with a sentence")
    func longPath() async {
        let client = LocalClient(socketPath: "/" + String(repeating: "a", count: 120))
        let thrown = await #expect(throws: APIError.self) { try await client.call(\.agent.info) }
        #expect(thrown?.code == .badInput)
    }

    @Test("an empty name is refused before it becomes a path")
    func emptyName() async throws {
        let service = RecordingService()
        let thrown = await #expect(throws: APIError.self) {
            try await withServer(service) { path in
                try await LocalClient(socketPath: path).call(\.trips.delete, id: "")
            }
        }
        #expect(thrown?.code == .badInput)
        #expect(service.asked.isEmpty)
    }

    @Test("a text beyond the limit of a request is refused with a sentence")
    func tooLarge() async throws {
        let service = RecordingService()
        let thrown = await #expect(throws: APIError.self) {
            try await withServer(service) { path in
                var draft = MemoryDraft(trip: "t")
                draft.text = String(repeating: "x", count: 5 << 20)
                return try await LocalClient(socketPath: path).call(\.memories.add, draft)
            }
        }
        #expect(thrown?.code == .tooLarge)
        #expect(service.asked.isEmpty)
    }

    @Test(
        "suggests near names of fields, collections and settings; otherwise lists all"
    )
    func suggestions() {
        let known = ["memory", "media", "trip"]
        #expect(
            APIError.unknownCollection("memry", among: known).hint
                == "Did you mean \u{201C}memory\u{201D}?")
        #expect(
            APIError.unknownCollection("boat", among: known).hint
                == "The schema of this space has memory, media, trip.")
        #expect(
            APIError.unknownRecordField("titel", of: "memory", known: ["title", "text"]).hint
                == "Did you mean \u{201C}title\u{201D}?")
        #expect(
            APIError.unknownRecordField("x", of: "memory", known: ["title", "text"]).hint
                == "Its fields are title, text.")
        #expect(Sentence.Setting.unknown("bin.dys").hint?.contains("bin-days") == true)
        #expect(Sentence.Setting.unknown("colour").hint == "See all of them: peersync config list")
    }
}
