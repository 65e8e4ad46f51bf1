import Foundation
import LocalAPI
import Testing

struct OpenAPITests {
    @Test("openapi.yaml agrees with the operations and their types")
    func upToDate() throws {
        let page = try OpenAPIPage()
        let remade = try page.remade()
        if ProcessInfo.processInfo.environment["PEERSYNC_WRITE_OPENAPI"] != nil {
            try Data(remade.utf8).write(to: OpenAPIPage.file)
            return
        }
        let (present, wanted) = (lines(page.text), lines(remade))
        guard present != wanted else { return }
        let place = zip(present, wanted).prefix { $0 == $1 }.count
        let about = wanted[..<place].last { $0.hasPrefix("    ") && !$0.hasPrefix("     ") }
        Issue.record(
            """
            openapi.yaml, line \(place + 1), under \(about ?? wanted[place]) says \
            “\(place < present.count ? present[place] : "")”, and the code \
            “\(place < wanted.count ? wanted[place] : "")”. \
            PEERSYNC_WRITE_OPENAPI=1 swift test --filter OpenAPITests writes the page anew.
            """)
    }

    @Test("every kind of value of a field is on the page, and no other")
    func fieldValues() throws {
        let kinds = Set(
            try Samples.fieldValues.flatMap { value in
                let json = try JSONSerialization.jsonObject(
                    with: JSONCoding.encode(value), options: .fragmentsAllowed)
                return (json as? [String: Any])?.keys.map { $0 } ?? []
            })
        let choices = try OpenAPIPage().part("components", "schemas", "FieldValue")["oneOf"]
        let objects = try #require(choices as? [[String: Any]]).compactMap {
            $0["properties"] as? [String: Any]
        }
        #expect(Set(objects.flatMap(\.keys)) == kinds)
    }

    @Test("reads a type's properties in order, and which of them are required")
    func recording() throws {
        let parts = try ShapeRecorder().properties(of: DiagnosticsView.Device.self)
        #expect(parts.first == .init(name: "id", shape: .text))
        #expect(parts.contains(.init(name: "state", shape: .named("SyncState"))))
        #expect(
            parts.contains(
                .init(name: "lastSync", shape: .named("Moment"), isRequired: false)))
        #expect(
            parts.last
                == .init(name: "clockSkewMilliseconds", shape: .integer64, isRequired: false))
    }

    private func lines(_ text: String) -> [String] { text.components(separatedBy: "\n") }
}
