import Doctor
import LocalAPI
import Testing

@Suite("The look for missing files")
struct MissingFilesLookTests {
    @Test("Several checks of one examination look once, and again where it failed")
    func once() async throws {
        // given
        let look = MissingFilesLook()
        var looks = 0
        // when
        await #expect(throws: CancellationError.self) {
            try await look.once {
                looks += 1
                throw CancellationError()
            }
        }
        for _ in 0..<2 { try await look.once { looks += 1 } }
        // then
        #expect(looks == 2)
    }
}
