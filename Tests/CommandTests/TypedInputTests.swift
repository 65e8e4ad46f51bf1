import ArgumentParser
import LocalAPI
import Testing
import peersync

struct TypedInputTests {
    @Test("A number of metres has the decimal sign of its language")
    func metres() throws {
        #expect(try TypedInput.metres("5.5") == 5.5)
        #expect(throws: ValidationError.self) { try TypedInput.metres("5,5") }
        let german = try Language.$asked.withValue(.german) {
            try ["5,5", "5.5"].map { try TypedInput.metres($0) }
        }
        #expect(german == [5.5, 5.5])
        Language.$asked.withValue(.german) {
            #expect(throws: ValidationError.self) { try TypedInput.metres("viel") }
        }
    }
}
