import Foundation
import Logging
import SyncCore
import Synchronization
import Testing
import Transport
import Wire

/// A throw-away identity, made by `certs/make-test-identities`.
struct TestDevice: Sendable {
    let identity: TLSIdentity
    let certificatePEM: String
    let privateKeyPEM: String
    /// Zero for an identity that is not Ed25519.
    let key: Bytes32

    /// Enough for every test; making one takes some 50 ms.
    static let all: Result<[TestDevice], any Error> = Result { try make(6) }

    static func number(_ index: Int) throws -> TestDevice {
        try #require(try all.get().dropFirst(index).first)
    }

    static func make(_ count: Int, algorithm: String = "ed25519") throws -> [TestDevice] {
        try withTemporaryDirectory { directory in
            let script = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../certs/make-test-identities").standardizedFileURL
            let process = Process()
            process.executableURL = script
            process.arguments = [directory.path, "\(count)", algorithm]
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0, "certs/make-test-identities failed")
            return try (1...count).map { number in
                func bytes(_ name: String) throws -> [UInt8] {
                    Array(try Data(contentsOf: directory.appending(path: "\(number).\(name)")))
                }
                return TestDevice(
                    identity: TLSIdentity(
                        certificateDER: try bytes("cert.der"),
                        privateKeyPKCS8DER: try bytes("key.der")),
                    certificatePEM: String(decoding: try bytes("cert.pem"), as: UTF8.self),
                    privateKeyPEM: String(decoding: try bytes("key.pem"), as: UTF8.self),
                    key: Bytes32(try bytes("public.der").suffix(32)) ?? .zero)
            }
        }
    }
}

func withTemporaryDirectory<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let directory = try makeTemporaryDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(directory)
}

func makeTemporaryDirectory() throws -> URL {
    let directory = FileManager.default.temporaryDirectory
        .appending(path: "peersync-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return directory
}

/// A policy that a test can change.
final class TestPolicy: TrustPolicy {
    private let trusted: Mutex<Set<Bytes32>>
    private let pairingOpen: Mutex<Bool>

    init(trusting devices: [TestDevice] = [], pairingOpen: Bool = false) {
        trusted = Mutex(Set(devices.map(\.key)))
        self.pairingOpen = Mutex(pairingOpen)
    }

    func forget(_ device: TestDevice) {
        _ = trusted.withLock { $0.remove(device.key) }
    }

    func admits(_ key: Bytes32, _ application: ApplicationProtocol) -> Bool {
        switch application {
        case .session: trusted.withLock { $0.contains(key) }
        case .pairing: pairingOpen.withLock { $0 }
        }
    }
}

extension Endpoint {
    static func test(
        _ device: TestDevice, _ policy: any TrustPolicy,
        _ limits: TransportLimits = TransportLimits()
    ) throws -> Endpoint {
        var logger = Logger(label: "test")
        logger.logLevel = .error
        return try Endpoint(
            identity: device.identity, policy: policy, limits: limits, logger: logger)
    }

    /// Listens on a free port of the loopback while `body` runs.
    func listening(
        _ serve: @escaping @Sendable (Connection) async -> Void,
        while body: (UInt16) async throws -> Void
    ) async throws {
        let listener = try await Listener.bind(self, port: 0, addresses: ["127.0.0.1"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await listener.run(serve) }
            do {
                try await body(listener.port)
            } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
        }
    }

    func dial(
        _ port: UInt16, as application: ApplicationProtocol = .session, expecting: Bytes32? = nil
    ) async throws -> Connection {
        try await Dialer(self).connect(
            host: "127.0.0.1", port: port, protocol: application, expecting: expecting)
    }
}

/// Authenticates at the first frame and sends every frame back.
@Sendable
func echo(_ connection: Connection) async {
    do {
        for try await frame in connection.frames {
            connection.markAuthenticated()
            try await connection.send(frame)
        }
    } catch {
        // The other side's expectations decide the test.
    }
}

/// Whether `condition` becomes true within some seconds.
func eventually(_ condition: () async -> Bool) async -> Bool {
    for _ in 0..<500 {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return false
}

/// Collects the values that tasks of a test have seen.
final class Seen<Value: Sendable>: Sendable {
    private let list = Mutex<[Value]>([])

    var values: [Value] { list.withLock { $0 } }

    func append(_ value: Value) {
        list.withLock { $0.append(value) }
    }
}
