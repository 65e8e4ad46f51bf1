import Testing

@Suite("Functions and types are small")
struct SizeTests {
    private static let longestFunction = 50
    private static let mostParameters = 7
    private static let mostProperties = 15
    private static let mostFunctions = 40

    private static let shapes = Result {
        try Repository.swiftFiles().map { (file: $0, shape: SourceShape(try $0.text())) }
    }

    @Test("no function is longer than a screen")
    func functions() throws {
        for (file, shape) in try Self.shapes.get() {
            for function in shape.functions {
                #expect(
                    function.lineCount <= Self.longestFunction,
                    "\(file):\(function.firstLine) \(function.path): \(function.lineCount) lines")
            }
        }
    }

    @Test(
        "no function takes more than a handful of parameters, those of a value's own initialiser left out"
    )
    func parameters() throws {
        for (file, shape) in try Self.shapes.get() {
            for function in shape.functions where !function.isValueInitialiser {
                #expect(
                    function.parameterCount <= Self.mostParameters,
                    "\(file):\(function.firstLine) \(function.path): \(function.parameterCount)")
            }
        }
    }

    @Test("no type has too many parts, over all its extensions")
    func types() throws {
        var (properties, functions): ([String: Int], [String: Int]) = ([:], [:])
        for (_, shape) in try Self.shapes.get() {
            properties.merge(shape.storedProperties, uniquingKeysWith: +)
            for function in shape.functions where !function.type.isEmpty {
                functions[function.type, default: 0] += 1
            }
        }
        for (type, count) in properties {
            #expect(count <= Self.mostProperties, "\(type) stores \(count) properties")
        }
        for (type, count) in functions {
            #expect(count <= Self.mostFunctions, "\(type) has \(count) functions")
        }
    }
}
