import LocalAPI
import Testing

/// An operation that can be tried with samples of its input.
private protocol Trial {
    /// Calls it in this process and over a socket, and compares requests and answers.
    func isSameOverTheSocket(ids: [String]) async throws
}

extension Operation: Trial {
    fileprivate func isSameOverTheSocket(ids: [String]) async throws {
        // given
        let inputs = try SampleMaker.Extent.allCases.map { try SampleMaker.make(Input.self, $0) }
        let direct = RecordingService()
        let served = RecordingService()
        try await withServer(served) { path in
            for (id, input) in ids.flatMap({ id in inputs.map { (id, $0) } }) {
                // when
                let expected = try await direct.answer(self, id: id, input)
                let result = try await LocalClient(socketPath: path).answer(self, id: id, input)

                // then
                #expect(try JSONCoding.encode(result) == JSONCoding.encode(expected))
            }
        }
        #expect(served.asked == direct.asked)
        #expect(served.asked.count == ids.count * inputs.count)
    }
}

struct RoundTripTests {
    @Test(
        "an operation gives the same request and answer over the socket as in this process",
        arguments: API.operations.map(\.name))
    func sameOverTheSocket(name: String) async throws {
        let operation = try #require(API.operations.first { $0.name == name }?.operation)
        let trial = try #require(operation as? any Trial)
        let takesID = operation.request.contains("{id}")
        try await trial.isSameOverTheSocket(ids: takesID ? [Samples.hardName, ".."] : [""])
    }

    @Test("a sample has all that its type asks for, or nothing that may be absent")
    func samples() throws {
        // when
        let whole = try SampleMaker.make(MemoryChanges.self)
        let bare = try SampleMaker.make(MemoryChanges.self, .bare)
        // then
        #expect(bare == MemoryChanges())
        #expect(whole.addTags.count == 1)
        #expect(whole.position?.altitude != nil)
        #expect(whole.title?.hasPrefix(Samples.hardName) == true)
        #expect(whole.title != whole.text)
    }

    @Test("no two operations have the same request")
    func differentRequests() {
        let requests = API.operations.map(\.operation.request)
        #expect(Set(requests).count == requests.count)
        #expect(requests.contains("PATCH /v1/memories/{id}"))
    }
}
