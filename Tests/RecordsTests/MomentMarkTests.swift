import LocalAPI
import Records
import TestDevices
import Testing

@Suite("The complete history, and named moments")
struct MomentMarkTests {
    private func changes(
        _ agent: OfflineDevice, _ change: (inout ChangeFilter) -> Void
    ) async throws -> [String] {
        var filter = ChangeFilter()
        filter.whole = true
        change(&filter)
        return try await agent.service.call(\.changes.list, filter).entries
            .flatMap { $0.changes.flatMap(\.names) }
    }

    @Test("A trip's history shows this device's own changes, by device and person")
    func wholePast() async throws {
        try await OfflineDevice.with { ann in
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try await ann.add("Duomo")
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Siena"))
            let news = try await ann.service.call(\.changes.list, ChangeFilter())
            #expect(news.entries.isEmpty)
            #expect(try await changes(ann) { $0.trip = "Arezzo" }.contains("Duomo"))
            #expect(try await changes(ann) { $0.trip = "Siena" }.contains("Duomo") == false)
            #expect(try await changes(ann) { $0.person = "Ann" }.contains("Duomo"))
            #expect(try await changes(ann) { $0.device = "laptop" }.contains("Duomo"))
            await #expect(throws: APIError.self) { try await changes(ann) { $0.person = "Zoe" } }
        }
    }

    @Test("A moment gets one name, is listed, and loses it again")
    func marks() async throws {
        try await OfflineDevice.with { ann in
            let mark = try await ann.service.call(\.changes.mark, NameDraft(name: " tidying "))
            #expect(mark.name == "tidying")
            #expect(try await ann.service.call(\.changes.marks) == [mark])
            for name in ["tidying", "", "two\nlines", "yesterday", "2024-05-11", "all"] {
                await #expect(throws: APIError.self, "\(name)") {
                    try await ann.service.call(\.changes.mark, NameDraft(name: name))
                }
            }
            // By any part of its name, as all names.
            let other = NameDraft(name: "before the big tidying")
            let long = try await ann.service.call(\.changes.mark, other)
            let third = NameDraft(name: "before the storm")
            _ = try await ann.service.call(\.changes.mark, third)
            #expect(try await ann.service.call(\.changes.moment, id: "Tidy") == mark)
            #expect(try await ann.service.call(\.changes.moment, id: "the big") == long)
            let several = await #expect(throws: APIError.self) {
                try await ann.service.call(\.changes.unmark, id: "before")
            }
            #expect(several?.code == .ambiguous && several?.candidates.count == 2)
            let misspelt = await #expect(throws: APIError.self) {
                try await ann.service.call(\.changes.unmark, id: "tidyng")
            }
            #expect(misspelt?.code == .notFound)
            #expect(misspelt?.hint?.contains("Did you mean “tidying”?") == true)
            #expect(try await ann.service.call(\.changes.unmark, id: "BIG") == long)
            #expect(try await ann.service.call(\.changes.unmark, id: "tidying") == mark)
            let unknown = await #expect(throws: APIError.self) {
                try await ann.service.call(\.changes.unmark, id: "tidying")
            }
            #expect(unknown?.sentence == "There is no time or moment “tidying”.")
        }
    }
}
