import Foundation
import LocalAPI
import Yams

/// `openapi.yaml`: shapes, names and summaries come from the operations and their types; the
/// descriptions of types, properties and parameters, which people wrote on the page, stay unchanged.
struct OpenAPIPage {
    let text: String
    private let content: [String: Any]

    struct Broken: Error {
        let reason: String
    }

    static let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/LocalAPI/openapi.yaml")

    init() throws {
        text = try String(contentsOf: Self.file, encoding: .utf8)
        guard let content = try Yams.load(yaml: text) as? [String: Any] else {
            throw Broken(reason: "the page is no object")
        }
        self.content = content
    }

    /// The part of the page under these names.
    func part(_ path: String...) -> [String: Any] {
        path.reduce(content) { $0[$1] as? [String: Any] ?? [:] }
    }

    /// The page as the operations want it.
    func remade() throws -> String {
        let recorder = ShapeRecorder()
        var lines: [String] = []
        var path = ""
        for (name, operation) in API.operations.sorted(by: Self.byPath) {
            let words = operation.request.split(separator: " ").map(String.init)
            if words[1] != path {
                path = words[1]
                lines.append("  \(path):")
                if path.contains("{id}") {
                    lines += ["    parameters:", "      - $ref: '#/components/parameters/id'"]
                }
            }
            lines += try described(name, operation, words[0].lowercased(), path, recorder)
        }
        _ = try recorder.shape(of: APIError.self)
        let schemas = try recorder.named.sorted { $0.key < $1.key }.flatMap { name, shape in
            try described(name, shape)
        }
        let between = try slice(from: "components:\n", to: "  schemas:\n")
        return try slice(from: "", to: "paths:\n") + "paths:\n"
            + (lines + [between + "  schemas:"] + schemas).joined(separator: "\n") + "\n"
    }

    /// Requests of one path stand together, where the first of them is declared.
    private static func byPath(
        _ one: (name: String, operation: any DeclaredOperation),
        _ other: (name: String, operation: any DeclaredOperation)
    ) -> Bool {
        func place(_ operation: any DeclaredOperation) -> [Int] {
            let requests = API.operations.map(\.operation.request)
            let path = operation.request.drop { $0 != " " }
            return [
                requests.firstIndex { $0.hasSuffix(path) } ?? 0,
                requests.firstIndex(of: operation.request) ?? 0,
            ]
        }
        return place(one.operation).lexicographicallyPrecedes(place(other.operation))
    }

    private func slice(from start: String, to end: String) throws -> String {
        let lower = start.isEmpty ? text.startIndex : text.firstRange(of: "\n" + start)?.lowerBound
        guard let lower, let upper = text.firstRange(of: "\n" + end)?.lowerBound, lower < upper
        else { throw Broken(reason: "the page has no \(start)") }
        let begin = start.isEmpty ? lower : text.index(after: lower)
        return String(text[begin...upper])
    }

    // MARK: Operations

    private func described(
        _ name: String, _ operation: any DeclaredOperation, _ method: String, _ path: String,
        _ recorder: ShapeRecorder
    ) throws -> [String] {
        var lines = ["    \(method):", "      operationId: \(name)"]
        lines += YAMLText.line("summary", operation.summary, 6)
        if let details = operation.details {
            lines += YAMLText.line("description", details, 6)
        }
        if operation.hasBody {
            let input = try recorder.shape(of: operation.inputType)
            lines += ["      requestBody:", "        required: true"]
            lines += YAMLText.json(input, 8)
        } else {
            lines += try parameters(of: operation, method, path, recorder)
        }
        let answer = try recorder.shape(of: operation.answerType)
        let isList = if case .list = answer { true } else { false }
        lines += ["      responses:", "        '200':"]
        lines.append("          description: \(isList ? "The list." : "Done.")")
        lines += YAMLText.json(answer, 10)
        if operation.reportsProgress { lines += try progressLines(answer, recorder) }
        return lines + ["        default:", "          $ref: '#/components/responses/Failure'"]
    }

    /// The response with progress.
    private func progressLines(_ answer: Shape, _ recorder: ShapeRecorder) throws -> [String] {
        let progress = try recorder.shape(of: ProgressView.self)
        let error = try recorder.shape(of: APIError.self)
        var lines = ["            application/x-ndjson:", "              schema:"]
        lines += YAMLText.line(
            "description",
            "Lines, each with one property: `progress` any number of times, `answer` or `error` last.",
            16)
        lines += ["                type: object", "                properties:"]
        for (name, shape) in [("progress", progress), ("answer", answer), ("error", error)] {
            lines.append("                  \(name):")
            lines += YAMLText.schema(shape, 20)
        }
        return lines
    }

    private func parameters(
        of operation: any DeclaredOperation, _ method: String, _ path: String,
        _ recorder: ShapeRecorder
    ) throws -> [String] {
        let present = part("paths", path, method)["parameters"] as? [[String: Any]] ?? []
        let properties = try recorder.queryParts(of: operation.inputType)
        guard !properties.isEmpty else { return [] }
        return properties.reduce(into: ["      parameters:"]) { lines, property in
            lines += ["        - name: \(property.name)", "          in: query"]
            if property.isRequired { lines.append("          required: true") }
            lines.append("          schema:")
            lines += YAMLText.schema(property.shape, 12)
            let old = present.first { $0["name"] as? String == property.name }
            lines += YAMLText.line("description", old?["description"] as? String, 10)
        }
    }

    // MARK: Types

    private func described(_ name: String, _ shape: NamedShape) throws -> [String] {
        let old = part("components", "schemas", name)
        var lines = ["    \(name):"]
        switch shape {
        case .custom:
            return try custom(name)
        case .choice(let cases):
            lines += YAMLText.line("description", old["description"] as? String, 6)
            lines += ["      type: string"] + YAMLText.list("enum", cases, 6)
        case .object(let properties):
            lines += YAMLText.line("description", old["description"] as? String, 6)
            lines.append("      type: object")
            let required = properties.filter(\.isRequired).map(\.name)
            if !required.isEmpty { lines += YAMLText.list("required", required, 6) }
            lines.append("      properties:")
            let oldProperties = old["properties"] as? [String: Any] ?? [:]
            for property in properties {
                let old = oldProperties[property.name] as? [String: Any]
                lines.append("        \(property.name):")
                lines += YAMLText.schema(
                    property.shape, 10, described: old?["description"] as? String)
            }
        }
        return lines
    }

    /// As it stands on the page.
    private func custom(_ name: String) throws -> [String] {
        let all = text.components(separatedBy: "\n")
        guard let start = all.firstIndex(of: "    \(name):") else {
            throw Broken(reason: "\(name) has to be described by hand")
        }
        let rest = all[(start + 1)...].prefix { $0.hasPrefix("     ") }
        return Array(all[start..<rest.endIndex])
    }
}

extension ShapeRecorder {
    /// The type in a query: JSON for values that are not single words.
    fileprivate func queryParts(of type: any Decodable.Type) throws -> [NamedShape.Property] {
        // Of types that travel in queries only, the page has the parts and not the type.
        try ShapeRecorder().properties(of: type).map { part in
            var shape = part.shape
            switch shape {
            case .named("Moment"): shape = .integer64
            case .named, .list, .map: shape = .text
            default: break
            }
            return .init(name: part.name, shape: shape, isRequired: part.isRequired)
        }
    }
}
