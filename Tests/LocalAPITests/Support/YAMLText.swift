/// Lines of `openapi.yaml`, at most as long as those of code.
enum YAMLText {
    private static let width = 100

    /// A text under a name; nothing without a text.
    static func line(_ name: String, _ text: String?, _ indent: Int) -> [String] {
        guard let text else { return [] }
        let start = spaces(indent) + name + ": "
        let isPlain = !text.contains { ":#'\"`{}[]*&!|>%@".contains($0) }
        let short = start + (isPlain ? text : "'\(text.replacing("'", with: "''"))'")
        guard short.count > width else { return [short] }
        var lines = [start + ">-"]
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + 2 + line.count + 1 + word.count > width {
                lines.append(spaces(indent + 2) + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [spaces(indent + 2) + line]
    }

    /// Words under a name, on one line where they fit.
    static func list(_ name: String, _ words: [String], _ indent: Int) -> [String] {
        // These mean something else where they stand alone.
        let words = words.map { ["on", "off", "yes", "no", "null"].contains($0) ? "'\($0)'" : $0 }
        let short = spaces(indent) + "\(name): [\(words.joined(separator: ", "))]"
        guard short.count > width else { return [short] }
        return [spaces(indent) + name + ":"] + words.map { spaces(indent + 2) + "- " + $0 }
    }

    /// A body of JSON.
    static func json(_ shape: Shape, _ indent: Int) -> [String] {
        [
            spaces(indent) + "content:", spaces(indent + 2) + "application/json:",
            spaces(indent + 4) + "schema:",
        ] + schema(shape, indent + 6)
    }

    static func schema(_ shape: Shape, _ indent: Int, described text: String? = nil) -> [String] {
        let start = spaces(indent)
        let description = line("description", text, indent)
        switch shape {
        case .text: return [start + "type: string"] + description
        case .integer: return [start + "type: integer"] + description
        case .integer64:
            return [start + "type: integer", start + "format: int64"] + description
        case .number: return [start + "type: number", start + "format: double"] + description
        case .truth: return [start + "type: boolean"] + description
        case .list(let element):
            return [start + "type: array", start + "items:"] + schema(element, indent + 2)
                + description
        case .map(let element):
            return [start + "type: object", start + "additionalProperties:"]
                + schema(element, indent + 2) + description
        case .named(let name):
            let reference = "$ref: '#/components/schemas/\(name)'"
            guard !description.isEmpty else { return [start + reference] }
            // Beside a reference this version allows nothing.
            return [start + "allOf:", start + "  - " + reference] + description
        }
    }

    private static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: count)
    }
}
