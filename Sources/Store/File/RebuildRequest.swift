/// A file beside a store that has it rebuilt at its next opening.
struct RebuildRequest {
    private let file: any StorePlace

    init(beside place: any StorePlace) { file = place.beside("store.suspect") }

    func make() {
        // Without room for it the damage is found again.
        try? file.write([1], at: 0)
    }

    func isMade() throws(StoreError) -> Bool { try file.hasFile(ending: "") }

    func withdraw() { file.remove("") }
}
