import Foundation
import LocalAPI
import Testing

struct OpenAPITests {
    @Test("openapi.yaml describes exactly the requests that are served")
    func sameRequests() throws {
        // given
        let served = Routes(service: RecordingService()).requests.map(captureAsTemplate)

        // when
        let described = try describedRequests()

        // then
        #expect(served.count == 59)
        #expect(described.sorted() == served.sorted())
    }

    @Test("openapi.yaml names every code of an error")
    func everyCode() throws {
        let text = try openAPI()
        for code in APIError.Code.allCases {
            #expect(text.contains("        - \(code.rawValue)\n"))
        }
    }

    private func openAPI() throws -> String {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = package.appendingPathComponent("Sources/LocalAPI/openapi.yaml")
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// `GET /v1/trips/{id}` and so on, from the keys of `paths` and below.
    private func describedRequests() throws -> [String] {
        var path = ""
        var requests: [String] = []
        for line in try openAPI().split(separator: "\n") {
            if line.hasPrefix("  /"), line.hasSuffix(":") {
                path = String(line.dropFirst(2).dropLast())
            } else if ["get", "put", "post", "patch", "delete"].contains(
                line.dropFirst(4).dropLast()), line.hasPrefix("    "), line.hasSuffix(":")
            {
                requests.append("\(line.dropFirst(4).dropLast().uppercased()) \(path)")
            }
        }
        return requests
    }

    /// The router writes `{id}` or `:id`, depending on how it was declared.
    private func captureAsTemplate(_ path: String) -> String {
        path.replacing(":id", with: "{id}")
    }
}
