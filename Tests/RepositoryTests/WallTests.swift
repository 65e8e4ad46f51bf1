import Testing

/// What each target may import: the layers that the build alone does not hold.
private enum Walls {
    /// Modules of the operating system and of Swift's own distribution.
    static let system: Set = [
        "Dispatch", "Foundation", "FoundationEssentials", "FoundationXML", "Glibc",
        "Synchronization",
    ]

    /// By target: modules of this package and of others.
    static let allowed: [String: Set<String>] = [
        "SyncCore": ["Crypto", "Synchronization"],
        "Wire": ["SyncCore", "SwiftProtobuf", "Foundation", "FoundationEssentials"],
        "Identity": system.union([
            "SyncCore", "CLibcrypto", "Crypto",
        ]),
        "Encryption": system.union(["SyncCore", "CLibcrypto", "Crypto"]),
        "Archive": system.union(["SyncCore", "Encryption", "CPlatform", "Crypto"]),
        "Transport": system.union([
            "SyncCore", "Wire", "Identity", "Logging", "NIOCore", "NIOPosix", "NIOSSL", "NIOTLS",
        ]),
        "Discovery": system.union(["SyncCore", "CAvahi", "CNetlink", "Logging", "Subprocess"]),
        "Store": system.union(["SyncCore", "CSQLite", "CStatx", "GRDB"]),
        "Media": system.union([
            "SyncCore", "CExif", "CPlatform", "CTurboJPEG", "Crypto", "Subprocess",
            "SystemPackage",
        ]),
        "LocalAPI": system.union([
            "CMessages", "HTTPTypes", "HummingbirdCore", "Logging", "NIOCore", "NIOPosix",
        ]),
        "Records": system.union(["SyncCore", "Store", "LocalAPI", "Yams"]),
        "Journal": system.union(["SyncCore", "LocalAPI", "Records"]),
        "Node": system.union([
            "SyncCore", "Wire", "Identity", "Encryption", "Store", "LocalAPI", "Records",
        ]),
        "Device": system.union([
            "SyncCore", "Wire", "Identity", "Encryption", "Store", "LocalAPI", "Records", "Node",
            "CPlatform", "Logging",
        ]),
        "Networking": system.union([
            "SyncCore", "Wire", "Identity", "Transport", "Discovery", "Store", "LocalAPI",
            "Records", "Node", "Device", "CPlatform", "Logging",
        ]),
        "Files": system.union([
            "SyncCore", "Encryption", "Archive", "Store", "Media", "LocalAPI", "Records", "Node",
            "Device", "Wire", "Crypto", "Logging",
        ]),
        "Status": system.union([
            "SyncCore", "Identity", "Discovery", "Store", "Media", "LocalAPI", "Records", "Node",
            "Device", "Networking", "Files", "CPlatform", "Logging",
        ]),
        "Doctor": system.union([
            "SyncCore", "Wire", "Identity", "Store", "Media", "LocalAPI", "Records", "Journal",
            "Node", "Device", "Files", "Status",
        ]),
        "Agent": system.union([
            "SyncCore", "Identity", "Transport", "Store", "Media", "LocalAPI", "Records",
            "Journal", "Node", "Device", "Networking", "Files", "Status", "Doctor", "Logging",
            "ServiceLifecycle", "Subprocess", "UnixSignals",
        ]),
        "peersync": system.union([
            "Agent", "Device", "Doctor", "LocalAPI", "CBuild", "ArgumentParser",
        ]),
    ]

    /// The only foreign module whose types pass between targets: everybody logs to the same place.
    static let passedOn: Set = ["Logging"]
}

/// One import as it is written.
struct ImportLine: Hashable {
    let module: String
    /// `package` or `public`; nil for an import that stays inside its target.
    let exposure: String?

    private static let accessLevels: Set = [
        "package", "public", "internal", "private", "fileprivate",
    ]
    private static let kinds: Set = [
        "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
    ]

    /// Nil when the line imports nothing.
    init?(_ line: String) {
        guard line.contains("import ") else { return nil }
        var words = line.split(separator: " ")[...].drop { $0.hasPrefix("@") }
        let access = words.first.map(String.init) ?? ""
        if Self.accessLevels.contains(access) { words = words.dropFirst() }
        guard words.first == "import" else { return nil }
        words = words.dropFirst()
        if let kind = words.first, Self.kinds.contains(String(kind)) { words = words.dropFirst() }
        guard let name = words.first?.split(separator: ".").first else { return nil }
        module = String(name)
        exposure = ["package", "public"].contains(access) ? access : nil
    }
}

/// The targets of Package.swift, each with those of this package that it depends on.
private struct DeclaredTargets {
    private var dependencies: [String: Set<String>] = [:]

    init() throws {
        let text = try RepositoryFile(path: "Package.swift").text()
        let list = try #require(text.split(separator: "swiftLanguageModes").first)
        let declared = list.split(
            separator: #/\.(?:target|testTarget|executableTarget|systemLibrary)\(/#
        ).dropFirst().map { target in
            target.replacing(#/\.product\([^)]*\)/#, with: "").matches(of: #/"(\w[\w-]*)"/#)
                .map { String($0.1) }
        }
        let names = Set(declared.compactMap(\.first))
        for words in declared {
            guard let name = words.first else { continue }
            dependencies[name] = names.intersection(words.dropFirst())
        }
    }

    /// What a target depends on, by way of others too.
    func everythingBelow(_ target: String) -> Set<String> {
        var found: Set<String> = []
        var waiting = dependencies[target] ?? []
        while let next = waiting.popFirst() {
            if found.insert(next).inserted { waiting.formUnion(dependencies[next] ?? []) }
        }
        return found
    }
}

@Suite("The walls between targets")
struct WallTests {
    @Test("every target imports only what its layer may")
    func imports() throws {
        for target in try Repository.targets() {
            let allowed = try #require(Walls.allowed[target], "no walls are known for \(target)")
            for file in try Repository.swiftFiles(below: "Sources/" + target) {
                for (number, line) in try file.lines() {
                    guard let found = ImportLine(line) else { continue }
                    #expect(
                        allowed.contains(found.module),
                        "\(file):\(number) imports \(found.module)")
                }
            }
        }
    }

    @Test("tests of a device's decisions, records, journal and files are built without the network")
    func networkFree() throws {
        let network: Set = ["Transport", "Discovery", "Networking", "Status", "Doctor", "Agent"]
        // when
        let targets = try DeclaredTargets()
        // then
        for target in ["NodeTests", "DeviceTests", "RecordsTests", "JournalTests", "FilesTests"] {
            let needed = targets.everythingBelow(target)
            #expect(needed.contains("Records"), "\(target)")
            #expect(needed.isDisjoint(with: network), "\(target)")
        }
        #expect(targets.everythingBelow("AgentTests").isSuperset(of: network))
    }

    @Test("walls are kept for every target, and for no other")
    func targets() throws {
        #expect(try Repository.targets() == Set(Walls.allowed.keys))
    }

    @Test("no foreign library shows in what one target offers another")
    func exposure() throws {
        let own = try Repository.targets()
        // No target is above `peersync`: what it offers, only its tests see.
        for file in try Repository.swiftFiles(below: "Sources")
        where !file.path.hasPrefix("Sources/peersync/") {
            for (number, line) in try file.lines() {
                guard let found = ImportLine(line), found.exposure != nil else { continue }
                let isFine =
                    own.contains(found.module) || Walls.system.contains(found.module)
                    || Walls.passedOn.contains(found.module)
                #expect(isFine, "\(file):\(number) passes \(found.module) on")
            }
        }
    }

    @Test("tests use what a release build gives them too")
    func plainImports() throws {
        // A plain release build refuses it, and the simulations run in release.
        let refused = "@" + "testable import"
        for file in try Repository.swiftFiles() {
            for (number, line) in try file.lines() {
                #expect(!line.contains(refused), "\(file):\(number)")
            }
        }
    }

    @Test(
        "an import is recognised in every form",
        arguments: [
            ("import GRDB", "GRDB"), ("internal import GRDB", "GRDB"),
            ("@preconcurrency package import GRDB", "GRDB"), ("import struct GRDB.Row", "GRDB"),
        ])
    func recognises(line: String, module: String) {
        #expect(ImportLine(line)?.module == module)
    }

    @Test("what only looks like an import is none")
    func ignores() {
        #expect(ImportLine("/// `import GRDB` is not allowed here.") == nil)
        #expect(ImportLine("let importGRDB = 1") == nil)
    }
}
