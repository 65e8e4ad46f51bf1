import ArgumentParser
import LocalAPI
import Testing
import peersync

struct TypedInputTests {
    @Test("A number of metres has the decimal sign of its language")
    func metres() throws {
        #expect(try TypedInput.metres("5.5") == 5.5)
        #expect(throws: ValidationError.self) { try TypedInput.metres("5,5") }
        try Language.$asked.withValue(.german) {
            #expect(try TypedInput.metres("5,5") == 5.5)
            #expect(try TypedInput.metres("5.5") == 5.5)
            #expect(throws: ValidationError.self) { try TypedInput.metres("viel") }
        }
    }
}
