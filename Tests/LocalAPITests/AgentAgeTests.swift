import LocalAPI
import Testing

@Suite("An agent of another version than the command")
struct AgentAgeTests {
    @Test(
        "is recognised by the name in its answers",
        arguments: [
            (nil, AgentAge.older), ("peersync/0.2.0", .same), ("peersync/0.1.9", .older),
            ("peersync/0.1.0 (cb4fd50)", .older), ("peersync/0.10.0", .newer),
            ("peersync/1", .newer), ("peersync/0.2.0 (cb4fd50)", .another),
        ])
    func ages(product: String?, age: AgentAge) {
        #expect(AgentAge(product: product, program: "0.2.0") == age)
    }

    @Test("an agent of the same version tells it in every answer, also in a refusal")
    func same() async throws {
        try await withServer(RecordingService()) { path in
            let client = LocalClient(socketPath: path)
            #expect(client.agentAge == nil)
            _ = try await client.call(\.agent.info)
            #expect(client.agentAge == .same)
            let refused = try await rawExchange(
                path, "GET /v1/nothing HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            #expect(refused.lowercased().contains("server: peersync/\(ProgramVersion.text)\r\n"))
        }
    }

    @Test(
        "gets a hint where its answer makes no sense, or it does not know the request",
        arguments: [
            ("200 OK", "{\"unheard\":1}"), ("418 I'm a teapot", "{}"),
            (
                "404 Not Found",
                """
                {"code":"notFound","sentence":"The agent does not know this request.",\
                "hint":"It may be older than this command: stop the agent and start it again."}
                """
            ),
        ])
    func unknown(status: String, body: String) async throws {
        let directory = try temporaryDirectory()
        let path = directory + "/agent.sock"
        let answer = """
            HTTP/1.1 \(status)\r\ncontent-type: application/json\r\n\
            content-length: \(body.utf8.count)\r\nconnection: close\r\n\r\n\(body)
            """
        let serving = try serveOnce(at: path, answer)
        let thrown = await #expect(throws: APIError.self) {
            try await LocalClient(socketPath: path).call(\.agent.info)
        }
        await serving.value
        #expect(
            thrown
                == APIError(
                    code: .failed,
                    sentence: Message(verbatim: AgentAge.older.sentence),
                    hint: Message(verbatim: AgentAge.older.remedy)))
        #expect(thrown?.hint?.contains("systemctl --user restart peersync") == true)
    }
}
