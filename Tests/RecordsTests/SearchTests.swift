import LocalAPI
import Records
import SyncCore
import TestDevices
import Testing

@Suite("Searching everything")
struct SearchTests {
    /// Two trips and a list with bells in them.
    private func withBells(_ body: (OfflineDevice) async throws -> Void) async throws {
        try await OfflineDevice.with { agent in
            for trip in ["Arezzo", "Bari"] {
                _ = try await agent.service.call(\.trips.create, TripDraft(name: trip))
            }
            var duomo = MemoryDraft(trip: "Arezzo")
            duomo.title = "Duomo"
            duomo.text = "We climbed the whole tower and then stood right below the bells, at noon."
            duomo.at = Moment(milliseconds: 1_224_600_000_000)
            duomo.position = Position(latitude: 43.4665, longitude: 11.8823)
            duomo.tags = ["church"]
            _ = try await agent.service.call(\.memories.add, duomo)
            var cafe = MemoryDraft(trip: "Bari")
            cafe.title = "Caf\u{E9} of the Bell"
            cafe.at = Moment(milliseconds: 1_300_000_000_000)
            _ = try await agent.service.call(\.memories.add, cafe)
            _ = try await agent.service.call(
                \.bucket.add, BucketItemDraft(title: "Ring the BELLS once", trip: nil))
            try await body(agent)
        }
    }

    private func names(
        _ agent: OfflineDevice, _ words: String, _ change: (inout SearchQuery) -> Void = { _ in }
    ) async throws -> Set<String> {
        var query = SearchQuery(words: words)
        change(&query)
        let report = try await agent.service.call(\.records.search, query)
        return Set(report.hits.map { "\($0.collection) \($0.name) in \($0.space.name)" })
    }

    @Test("A hit in the person's own lists says so")
    func own() async throws {
        try await withBells { agent in
            // when
            let report = try await agent.service.call(\.records.search, SearchQuery(words: "bells"))
            // then
            let own = report.hits.filter { $0.own == true }
            #expect(own.map(\.name) == ["Ring the BELLS once"])
            #expect(report.hits.count > own.count)
        }
    }

    @Test("words are found in every trip and list, ignoring case, accents and endings")
    func everywhere() async throws {
        try await withBells { agent in
            let duomo = "memory Duomo in Arezzo"
            let cafe = "memory Caf\u{E9} of the Bell in Bari"
            let ring = "bucket_item Ring the BELLS once in home"
            #expect(try await names(agent, "bell") == [duomo, cafe, ring])
            #expect(try await names(agent, "CAFE bel") == [cafe])
            #expect(try await names(agent, "bell nowhere").isEmpty)
            #expect(try await names(agent, "church") == ["tag church in Arezzo"])
            _ = try await agent.service.call(\.memories.delete, id: "Duomo")
            #expect(try await names(agent, "bell") == [cafe, ring])
        }
    }

    @Test(
        "German letters are found in one and in two, and nothing that only looks like them",
        arguments: [
            ("woerthersee", ["W\u{F6}rthersee"]), ("worthersee", ["W\u{F6}rthersee"]),
            ("W\u{F6}rther", ["W\u{F6}rthersee"]), ("strasse", ["Gro\u{DF}e Stra\u{DF}e"]),
            ("grosse stra\u{DF}e", ["Gro\u{DF}e Stra\u{DF}e"]),
            ("f\u{FC}r", ["Fuer Anna"]), ("poet", ["Poet"]), ("pot", ["Pot"]),
        ])
    func germanLetters(words: String, expected: [String]) async throws {
        try await OfflineDevice.with { agent in
            // given
            let titles = [
                "W\u{F6}rthersee", "Gro\u{DF}e Stra\u{DF}e", "Fuer Anna", "Poet", "Pot",
            ]
            for title in titles {
                _ = try await agent.service.call(
                    \.bucket.add, BucketItemDraft(title: title, trip: nil))
            }
            // when
            let report = try await agent.service.call(
                \.records.search, SearchQuery(words: words))
            // then
            #expect(report.hits.map(\.name) == expected)
        }
    }

    @Test("the text around a word is shown, but not if the word is in the name")
    func context() async throws {
        try await withBells { agent in
            let report = try await agent.service.call(
                \.records.search, SearchQuery(words: "bell"))
            let contexts = Dictionary(
                uniqueKeysWithValues: report.hits.map { ($0.name, $0.context) })
            #expect(
                contexts["Duomo"]
                    == "\u{2026}tower and then stood right below the bells, at noon.")
            #expect(contexts["Caf\u{E9} of the Bell"]?.isEmpty == true)
            #expect(!report.more)
        }
    }

    @Test("records that do not meet the conditions are left out")
    func conditions() async throws {
        try await withBells { agent in
            let duomo = "memory Duomo in Arezzo"
            #expect(try await names(agent, "bell") { $0.space = "Arezzo" } == [duomo])
            #expect(try await names(agent, "bell") { $0.kind = "memory" }.count == 2)
            #expect(try await names(agent, "bell") { $0.tag = "Church" } == [duomo])
            #expect(
                try await names(agent, "bell") {
                    $0.near = MemoryFilter.Near(latitude: 43.4666, longitude: 11.882, radius: 100)
                } == [duomo])
            let later = Moment(milliseconds: 1_300_000_000_000)
            #expect(try await !names(agent, "bell") { $0.since = later }.contains(duomo))
            var few = SearchQuery(words: "bell")
            few.limit = 2
            let report = try await agent.service.call(\.records.search, few)
            #expect(report.hits.count == 2 && report.more)
        }
    }

    @Test("matches that do not meet a condition take no room from those that do")
    func behindOthers() async throws {
        try await withBells { agent in
            // Given many newer memories of the same word, without a position
            for _ in 0..<30 {
                var memory = MemoryDraft(trip: "Bari")
                memory.title = "Bell"
                _ = try await agent.service.call(\.memories.add, memory)
            }

            // When one is wanted, near a place
            var query = SearchQuery(words: "bell")
            query.near = MemoryFilter.Near(latitude: 43.4666, longitude: 11.882, radius: 100)
            query.limit = 1
            let report = try await agent.service.call(\.records.search, query)

            // Then it is found behind the others
            #expect(report.hits.map(\.name) == ["Duomo"] && !report.more)
        }
    }

    @Test("an invalid search is refused with a sentence")
    func refused() async throws {
        try await withBells { agent in
            func refusal(_ change: (inout SearchQuery) -> Void) async -> APIError? {
                var query = SearchQuery(words: "bell")
                change(&query)
                do {
                    _ = try await agent.service.call(\.records.search, query)
                    return nil
                } catch {
                    return error as? APIError
                }
            }
            #expect(
                await refusal { $0 = SearchQuery(words: " ?! ") }
                    == APIError(
                        code: .badInput, sentence: "There is no word to search for.",
                        hint: "Give the beginning of a word: peersync search duomo"))
            #expect(await refusal { $0.limit = 0 } == RecordErrors.badLimit(1_000))
            #expect(await refusal { $0.kind = "recipe" }?.code == .notFound)
            #expect(await refusal { $0.tag = "castle" } == APIError.unknown(.tag, "castle"))
            #expect(await refusal { $0.space = "Rome" }?.code == .notFound)
        }
    }
}
