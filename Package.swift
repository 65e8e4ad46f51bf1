// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "peersync",
    products: [
        .executable(name: "peersync", targets: ["peersync"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
    ],
    targets: [
        .systemLibrary(name: "CAvahi"),
        .systemLibrary(name: "CBuild"),
        .systemLibrary(name: "CLibcrypto"),
        .systemLibrary(name: "CTurboJPEG"),
        .systemLibrary(name: "CExif"),
        .systemLibrary(name: "CNetlink"),
        .systemLibrary(name: "CPlatform"),
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CStatx"),
        .target(
            name: "SyncCore",
            dependencies: [.product(name: "Crypto", package: "swift-crypto")]),
        .target(
            name: "Wire",
            dependencies: [
                "SyncCore", .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            exclude: ["peersync.proto", "regenerate"]),
        .target(
            name: "Identity",
            dependencies: [
                "SyncCore", "CLibcrypto",
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .target(
            name: "Encryption",
            dependencies: [
                "SyncCore", "CLibcrypto", .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .target(
            name: "Archive",
            dependencies: [
                "SyncCore", "Encryption", "CPlatform",
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .target(
            name: "Transport",
            dependencies: [
                "SyncCore", "Wire", "Identity",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "Discovery",
            dependencies: [
                "SyncCore", "CAvahi", "CNetlink",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]),
        .target(
            name: "Store",
            dependencies: [
                "SyncCore", "CSQLite", "CStatx", .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .target(
            name: "Media",
            dependencies: [
                "SyncCore", "CTurboJPEG", "CExif", "CPlatform",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]),
        .target(
            name: "CMessages", exclude: ["de_AT.po"],
            cSettings: [
                .treatAllWarnings(as: .error), .enableWarning("all"),
                .disableWarning("c23-extensions"),
            ]),
        .target(
            name: "LocalAPI",
            dependencies: [
                "CMessages",
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["openapi.yaml"]),
        .target(
            name: "Records",
            dependencies: [
                "SyncCore", "Store", "LocalAPI", .product(name: "Yams", package: "Yams"),
            ]),
        .target(
            name: "Journal",
            dependencies: ["SyncCore", "LocalAPI", "Records"],
            resources: [.embedInCode("Schema/journal.yaml")]),
        .target(
            name: "Node",
            dependencies: [
                "SyncCore", "Wire", "Identity", "Encryption", "Store", "LocalAPI", "Records",
            ]),
        .target(
            name: "Device",
            dependencies: [
                "SyncCore", "Wire", "Identity", "Encryption", "Store", "LocalAPI", "Records",
                "Node",
                "CPlatform", .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "Networking",
            dependencies: [
                "SyncCore", "Wire", "Identity", "Transport", "Discovery", "Store", "LocalAPI",
                "Records", "Node", "Device", "CPlatform",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "Files",
            dependencies: [
                "SyncCore", "Encryption", "Archive", "Store", "Media", "LocalAPI", "Records",
                "Node",
                "Device", "Wire",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "Status",
            dependencies: [
                "SyncCore", "Identity", "Discovery", "Store", "Media", "LocalAPI", "Records",
                "Node", "Device", "Networking", "Files", "CPlatform",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "Doctor",
            dependencies: [
                "SyncCore", "Wire", "Identity", "Store", "Media", "LocalAPI", "Records",
                "Journal", "Node", "Device", "Files", "Status",
            ]),
        .target(
            name: "Agent",
            dependencies: [
                "SyncCore", "Identity", "Transport", "Store", "Media", "LocalAPI", "Records",
                "Journal", "Node", "Device", "Networking", "Files", "Status", "Doctor",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            resources: [.embedInCode("Service/peersync.service")]),
        .executableTarget(
            name: "peersync",
            dependencies: [
                "Agent", "Device", "Doctor", "LocalAPI", "CBuild",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .target(
            name: "CVirtualDisk", path: "Tests/Support/CVirtualDisk",
            cSettings: [.treatAllWarnings(as: .error), .enableWarning("all")],
            linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "VirtualDisk", dependencies: ["Store", "CVirtualDisk"],
            path: "Tests/Support/VirtualDisk"),
        .executableTarget(
            name: "hostile-peer",
            dependencies: [
                "SyncCore", "Wire", "Identity",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            path: "Tests/Support/HostilePeer"),
        .executableTarget(
            name: "age-file", dependencies: ["Encryption"], path: "Tests/Support/AgeFile"),
        .target(
            name: "TestKit", dependencies: ["SyncCore"], path: "Tests/Support/TestKit"),
        .target(
            name: "TestDevices",
            dependencies: [
                "SyncCore", "Wire", "Identity", "Store", "Media", "LocalAPI", "Records", "Journal",
                "Node", "Device", "Files", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Support/TestDevices"),
        .testTarget(
            name: "SyncCoreTests",
            dependencies: [
                "SyncCore", "TestKit", .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .testTarget(
            name: "WireTests",
            dependencies: [
                "SyncCore", "Wire", "TestKit",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            exclude: ["Vectors"]),
        .testTarget(
            name: "IdentityTests",
            dependencies: [
                "SyncCore", "Identity", "TestKit",
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .testTarget(
            name: "EncryptionTests",
            dependencies: [
                "SyncCore", "Encryption", .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .testTarget(name: "ArchiveTests", dependencies: ["SyncCore", "Encryption", "Archive"]),
        .testTarget(
            name: "TransportTests",
            dependencies: [
                "SyncCore", "Wire", "Transport", .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "DiscoveryTests",
            dependencies: [
                "SyncCore", "Discovery", .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "SyncCore", "Wire", "Identity", "Store", "TestKit", "VirtualDisk",
            ],
            exclude: ["Vectors"]),
        .testTarget(
            name: "MediaTests", dependencies: ["SyncCore", "Media", "CPlatform", "peersync"]),
        .testTarget(
            name: "LocalAPITests",
            dependencies: ["LocalAPI", .product(name: "Yams", package: "Yams")]),
        .testTarget(
            name: "RecordsTests",
            dependencies: [
                "SyncCore", "Identity", "Store", "LocalAPI", "Records", "Journal", "Node", "Device",
                "TestDevices", "TestKit",
            ]),
        .testTarget(
            name: "JournalTests",
            dependencies: [
                "SyncCore", "Wire", "Store", "LocalAPI", "Records", "Journal", "Node", "Device",
                "TestDevices", "TestKit",
            ]),
        .testTarget(
            name: "FilesTests",
            dependencies: [
                "SyncCore", "Wire", "Encryption", "Store", "Media", "LocalAPI", "Records",
                "Journal", "Device", "Files", "TestDevices",
            ]),
        .testTarget(
            name: "NodeTests",
            dependencies: ["SyncCore", "LocalAPI", "Node"]),
        .testTarget(name: "DeviceTests", dependencies: ["SyncCore", "Node", "Device"]),
        .testTarget(
            name: "NetworkingTests",
            dependencies: [
                "SyncCore", "Wire", "Identity", "LocalAPI", "Records", "Discovery", "Networking",
            ]),
        .testTarget(
            name: "StatusTests",
            dependencies: ["SyncCore", "LocalAPI", "Device", "Networking", "Status"]),
        .testTarget(name: "DoctorTests", dependencies: ["LocalAPI", "Doctor"]),
        .testTarget(
            name: "AgentTests",
            dependencies: [
                "SyncCore", "Wire", "Identity", "Encryption", "Store", "Media", "LocalAPI",
                "Records", "Journal", "Node", "Device", "Networking", "Files", "Status", "Doctor",
                "Agent", "TestDevices", "TestKit", "VirtualDisk",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "LocalAPI", "peersync",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(name: "RepositoryTests"),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "SyncCore", "Wire", "Identity", "Encryption", "Archive", "Discovery", "Media",
                "LocalAPI", "Records", "Journal",
            ],
            path: "Tests/Fuzz/Targets"),
        .testTarget(
            name: "FuzzReplayTests",
            dependencies: ["FuzzTargets", "Media", "TestKit", "peersync"]),
        .target(
            name: "SyncSimulator",
            dependencies: [
                "SyncCore", "Wire", "Identity", "Encryption", "Archive", "Store", "LocalAPI",
                "Records", "Journal", "Node", "VirtualDisk", "TestKit",
            ],
            path: "Tests/Support/SyncSimulator"),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["SyncSimulator"]),
    ],
    swiftLanguageModes: [.v6]
)

if Context.environment["PEERSYNC_FUZZER"] != nil {
    // Tests/Fuzz/run builds apart, with sanitizers: all of what its targets use, as the tests compile it.
    package.products = []
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "fuzzer", dependencies: ["CLibFuzzer", "FuzzTargets"],
            path: "Tests/Fuzz/Fuzzer"),
    ]
}

let simulating = ["PEERSYNC_ONLY_SIMULATIONS", "PEERSYNC_SEED"]
if simulating.contains(where: { Context.environment[$0] != nil }) {
    // Simulations run optimised; the other tests need not be built that way for them.
    let unneeded: Set = ["FuzzTargets", "TestDevices", "hostile-peer", "age-file"]
    package.targets.removeAll {
        $0.type == .test && $0.name != "SimulationTests" || unneeded.contains($0.name)
    }
}

let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    // Generic types are made by code: by name, the runtime searches all conformances for each of them,
    // which was most of a command's start.
    .unsafeFlags(["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"]),
]
for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = (target.swiftSettings ?? []) + settings
    if target.type == .test {
        // `Tests/run` builds once, optimised; tests themselves gain nothing by it and compile in a fifth
        // of the time.
        target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
    }
}
