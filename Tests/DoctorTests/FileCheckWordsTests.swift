import Doctor
import LocalAPI
import Testing

@Suite("What the doctor says of files")
struct FileCheckWordsTests {
    @Test("several damaged files are set aside and fetched, not one of them")
    func numbers() {
        #expect(
            FileCheck.damaged(1, example: "film.bin").remedy == """
                peersync doctor --repair sets it aside and fetches it again from another device.
                """)
        #expect(
            FileCheck.damaged(2, example: "film.bin").remedy == """
                peersync doctor --repair sets them aside and fetches them again from other devices.
                """)
        #expect(
            FileCheck.gone(1, example: "film.bin").remedy
                == "peersync doctor --repair fetches it again from another device.")
        #expect(
            FileCheck.gone(2, example: "film.bin").remedy
                == "peersync doctor --repair fetches them again from other devices.")
    }
}
