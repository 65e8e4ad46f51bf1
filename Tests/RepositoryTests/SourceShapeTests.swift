import Testing

@Suite("How functions and types are measured")
struct SourceShapeTests {
    @Test("a function counts from its name to its own closing brace")
    func lengths() {
        let shape = SourceShape(
            """
            struct A {
                func b(
                    c: Int = { 1 }()
                ) { d { $0 } }
                var e: Int { if f { 1 } else { 2 } }
                func g() {
                    guard h else { return }
                    i { j in
                        k(j)
                    }
                }
            }
            """)
        #expect(shape.functions.map(\.path) == ["A.b", "A.g"])
        #expect(shape.functions.map(\.firstLine) == [2, 6])
        #expect(shape.functions.map(\.lineCount) == [3, 6])
    }

    @Test("braces in strings, comments and patterns are none")
    func masked() {
        let shape = SourceShape(
            ##"""
            func a() {
                b("{ \(c["}"] ?? "{") {", #"\("#, /\{/, #/{ / {/#)  // {
                /* { /* { */ */
                d(e / f, "\"{", """
                    { " {
                    """)
            }
            func g() {}
            """##)
        #expect(shape.functions.map(\.name) == ["func a", "func g"])
        #expect(shape.functions.map(\.lineCount) == [7, 1])
    }

    @Test("a requirement has no body, and parameters are those of the outer list")
    func parameters() {
        let shape = SourceShape(
            """
            protocol P {
                func a(_ b: [Int: String], c: (Int, Int) -> Void) -> Int
                init()
            }
            final class C: P {
                init(d: Dictionary<Int, Int>, e: (Int) -> Int) { self.init(a) }
            }
            """)
        #expect(shape.functions.map(\.path) == ["P.a", "P.init", "C.init"])
        #expect(shape.functions.map(\.lineCount) == [0, 0, 1])
        #expect(shape.functions.map(\.parameterCount) == [2, 0, 2])
        #expect(shape.functions.map(\.isValueInitialiser) == [false, false, false])
    }

    @Test("stored properties are those without a body, over nested types and extensions")
    func properties() {
        let shape = SourceShape(
            """
            struct A {
                let b: Int, c = { 1 }
                static let d = 1
                var e: Int { 1 }
                private(set) var f = 1 { didSet { g() } }
                lazy var h: Int = {
                    let i = 1
                    return i
                }()
                enum J { case k; struct L { var m: Int } }
                init(b: Int) { self.b = b }
            }
            extension A.J.L { var n: Int { 1 } }
            class O { class var p: Int { 1 } }
            """)
        #expect(shape.storedProperties == ["A": 3, "A.J.L": 1])
        #expect(shape.functions.map(\.isValueInitialiser) == [true])
    }
}
