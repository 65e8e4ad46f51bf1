import LocalAPI
import TestDevices
import Testing

/// Several writers save at once.
extension UnfinishedRecordTests {
    @Test("a save that did not see the last change is refused, one that saw it is accepted")
    func lateSave() async throws {
        try await shared { ann, _, _ in
            let seen = try await add("session", ["title": .text("Walk")], in: ann).seen
            let later = try await set("Walk", ["title": .text("Long walk")], in: ann).seen
            let refused = await #expect(throws: APIError.self) {
                try await set("Long walk", ["title": .text("x")], in: ann) { $0.seen = seen }
            }
            #expect(
                refused?.sentence
                    == "“Long walk” was changed on this device since you looked at it.")
            // Fields that it does not set may have changed.
            try await set("Long walk", ["project": thesis], in: ann) { $0.seen = seen }
            let saved = try await set("Long walk", ["title": .text("Run")], in: ann) {
                $0.seen = later
            }
            #expect(saved.name == "Run")
        }
    }

    @Test("simultaneous changes are all kept, and finishing includes all of them")
    func atOnce() async throws {
        try await shared { ann, ben, space in
            let id = try await add("session", ["title": .text("Walk")], in: ann).id
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await set(id, [:], in: ann) {
                            $0.add = ["labels": [.text("\(number)")]]
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await set(id, ["minutes": .integer(1)], in: ann)
            try ben.receive(space, from: ann)
            #expect(
                try await show(id, in: ben).fields["labels"]
                    == .set((0..<8).map { .text("\($0)") }))
        }
    }
}
