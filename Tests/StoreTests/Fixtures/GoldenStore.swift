import Foundation
import Identity
import Store
import SyncCore
import TestKit
import Wire

/// The stores in `Vectors`, one of each format: the statements that make it, with the tables that the
/// programs of that format made.
///
/// All hold the same. Ann founds a space and grants Ben to write; both change the title of a memory at once, so
/// both stay, and its text, which is merged; she deletes another memory. Then she takes his right back. He writes
/// once more without having heard, which does not count, and she writes the same once more.
enum GoldenStore {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Vectors")
    /// With PEERSYNC_WRITE_VECTORS=1 the tests keep a store of today's format, where none is kept.
    static let isWriting = ProcessInfo.processInfo.environment["PEERSYNC_WRITE_VECTORS"] == "1"

    static let space = SpaceID(
        digits("1bb057aacb15d361dd4cb7415083a1aebfeac564e3e887ad66f29a42319c61a2"))
    /// The last commits of Ann and of Ben.
    static let ends = [
        CommitID(digits("6138a981c36c913c2b012e02b59f3c064ceed6f03b21783eff1e25dbc3b302f9")),
        CommitID(digits("b4ca3ce1fb5c9e1a73d9e3fbdfcf2d886b9441a92158d15173ca8722fcb313a3")),
    ]
    /// As `Tests/Support/Reader` finds it, which has none of the program's code.
    static let digest = digits(
        "96cbd1936d35e719165ff47a27f91c9269b347c2e589b84f1c504be79cf6e62e")
    static let note = Array("a note of a few bytes".utf8)
    static let memory = RecordKey(
        collection: "memory",
        record: RecordID(Bytes16([UInt8](repeating: 1, count: 16)) ?? .zero))

    static let schema = Schema(
        id: SchemaID(digits("5bfcce2979e509cd0254483872a40f7a6eec682f3b35c87b6600b1cc09ca64dd")),
        name: "kept", version: 1, collections: Schema.everywhere + TestPeer.schema.collections)

    private static func digits(_ text: String) -> Bytes32 {
        bytes(hexadecimal: text).flatMap { Bytes32($0) } ?? .zero
    }

    /// The formats of which a store is kept, in order.
    static func formats() throws -> [Int] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .compactMap { Int($0.dropFirst("store-".count).dropLast(".sql".count)) }.sorted()
    }

    private static func file(_ format: Int) -> URL {
        folder.appending(path: "store-\(format < 10 ? "0" : "")\(format).sql")
    }

    /// The home of a store as a program of that format left it.
    static func home(of format: Int) throws -> String {
        let home = TestPeer.newHome()
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let store = home + "/store.sqlite"
        // Pages have a checksum since format 7.
        let reserve = format < 7 ? [] : [".filectrl reserve_bytes 8"]
        let read = [".read '\(file(format).path)'", "PRAGMA journal_mode = WAL"]
        _ = try sqlite([store] + reserve + read)
        if format >= 7 { try PageSeal.seal(store) }
        return home
    }

    static func open(_ place: some StorePlace) throws -> SyncStore {
        var random = SeededGenerator(seed: 16)
        return try SyncStore(
            holding: place, decoder: CommitCodec(), verifier: CommitVerifier(), random: &random,
            schemas: { $0.schema == schema.id ? schema : nil })
    }

    /// The same space in a store of its own, as this program receives it.
    static func received(from store: SyncStore, below home: String) throws -> SyncStore {
        let fresh = try open(StoreLock(home: home))
        let page = try store.log.commits(of: space, beyond: Watermark(), byteLimit: .max)
        let commits = try page.commits.map { try CommitCodec().decode($0.commit) }
        let batch = CommitVerifier().verify(commits, keys: KeyDirectory())
        let outcome = try fresh.log.apply(batch.commits, to: space, now: now)
        precondition(outcome.stored.count == commits.count, "golden commits are stored")
        return fresh
    }

    private static let now = Milliseconds(1_750_003_600_000)

    /// Keeps a store of today's format: all that the newest one that is kept holds, written by this program.
    static func keep(_ format: Int) throws {
        let last = try formats().last ?? format
        let older = try open(StoreLock(home: home(of: last)))
        let home = TestPeer.newHome()
        let store = try received(from: older, below: home)
        let blob = try BlobHash.chunkList(of: note).blobID
        try store.files.storeSmall([(blob, note)], in: space, now: now)
        try store.records.setLocalValues([memory: ["seen_here": .boolean(true)]], in: space)
        for (key, value) in try older.settings.all() { try store.settings.set(key, to: value) }
        for device in try older.devices.all() {
            try store.devices.storePairing(
                device, addresses: older.devices.addresses(of: device.device))
        }
        try older.close()
        try store.close()
        // Of this machine nothing is kept.
        let strange = "UPDATE settings SET value = x'00' WHERE key IN ('file', 'machine')"
        let dump = try sqlite([home + "/store.sqlite", strange, ".dump"])
        let head = "PRAGMA application_id = 1884518766;\nPRAGMA user_version = \(format);\n"
        try (head + dump).write(to: file(format), atomically: true, encoding: .utf8)
    }

    /// What the program sqlite3 prints, which must succeed.
    static func sqlite(_ arguments: [String]) throws -> String {
        let (shell, output) = (Process(), Pipe())
        shell.executableURL = URL(filePath: "/usr/bin/sqlite3")
        shell.arguments = ["-bail"] + arguments
        shell.standardOutput = output
        try shell.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        shell.waitUntilExit()
        guard shell.terminationStatus == 0 else { throw StoreError.failed("sqlite3") }
        return String(decoding: printed, as: UTF8.self)
    }
}

/// The format in the head of a store's file.
func format(inHeadOf path: String) throws -> Int {
    let head = try Data(contentsOf: URL(filePath: path)).dropFirst(60).prefix(4)
    return head.reduce(0) { $0 << 8 | Int($1) }
}
