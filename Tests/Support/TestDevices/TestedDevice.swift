package import Device
import Foundation
package import Identity
package import LocalAPI
package import Node
import Records
package import Store
package import SyncCore
import Wire

/// A device in its own folder, which is removed at the end.
package protocol TestedDevice: Sendable {
    var node: AgentNode { get }
    var handlers: HandlerTable { get }
    /// The folder around the home, for files to add.
    var folder: String { get }

    /// Runs a body with the device whose home is in this folder: a new person's, or one made there
    /// before.
    static func live<Answer>(
        in folder: String, as person: String?, key: PersonKey,
        _ body: (Self) async throws -> Answer
    ) async throws -> Answer
}

/// A condition of the set-up that does not hold.
package struct UnexpectedSetUp: Error {
    package let why: String

    package init(_ why: String) { self.why = why }
}

extension TestedDevice {
    package var service: any AgentService { handlers }

    /// Runs a body with a device of a new person.
    package static func with<Answer>(
        _ person: String = "Ann", key: PersonKey = .generate(),
        _ body: (Self) async throws -> Answer
    ) async throws -> Answer {
        try await withFolder { folder in
            try await live(in: folder, as: person, key: key, body)
        }
    }

    /// Runs a body with the device whose home is in this folder, made there before.
    package static func live<Answer>(
        in folder: String, _ body: (Self) async throws -> Answer
    ) async throws -> Answer {
        try await live(in: folder, as: nil, key: .generate(), body)
    }

    package static func live<Answer>(
        in folder: String, as person: String, _ body: (Self) async throws -> Answer
    ) async throws -> Answer {
        try await live(in: folder, as: person, key: .generate(), body)
    }

    /// Runs a body with a path at which nothing exists yet, and removes what it made there.
    package static func withFolder<Answer>(
        _ body: (String) async throws -> Answer
    ) async throws -> Answer {
        let folder =
            FileManager.default.temporaryDirectory.path
            + "/peersync-test-\(UUID().uuidString)"
        defer {
            // The system clears its temporary files if this fails.
            try? FileManager.default.removeItem(atPath: folder)
        }
        return try await body(folder)
    }

    /// Makes a node the first device of a new person, as `init` does.
    package static func make(
        _ person: String, _ key: PersonKey, in node: AgentNode
    ) async throws {
        var identity = node.identity
        let chain = node.cardIssuer.firstCard(of: identity.keys, person: key)
        identity.card = try CardVerifier().verify(chain)
        identity.unverifiedCard = chain
        identity.deviceName = "laptop"
        identity.personName = person
        node.setIdentity(identity)
        identity.homeSpace = try await node.createSpace(
            .home, following: nil, isEncrypted: false
        ) {
            node.names.profiles(in: $0)
        }
        node.setIdentity(identity)
    }

    /// Writes a file to add; its bytes are not a picture, so that nothing has to decode it.
    package func file(_ name: String, _ content: String) throws -> String {
        let path = folder + "/" + name
        try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Another person's device becomes known, as after pairing.
    package func meet(_ other: some TestedDevice) throws {
        let identity = other.node.identity
        guard let card = identity.card else { throw AgentError.notInitialised }
        try node.store.devices.save(
            StoredDevice(
                card: card, deviceName: identity.deviceName, personName: identity.personName,
                pairedAt: node.clock.wall))
    }

    /// Another device says hello with a clock that differs by this much.
    package func greet(_ other: some TestedDevice, clockSkew milliseconds: Int64) throws {
        guard let card = other.node.identity.unverifiedCard else { throw AgentError.notInitialised }
        let now = node.clock.wall
        let hello = Hello(
            versions: Limits.protocolVersion...Limits.protocolVersion, card: card,
            agentVersion: "", features: [],
            wallClock: Milliseconds(UInt64(Int64(now.value) + milliseconds)), purpose: .session,
            listeningPort: 0)
        node.peers.update { $0.greeted(other.node.identity.deviceID, by: hello, at: now) }
    }

    /// Receives another device's commits of a space, as sync would, so many milliseconds later; at most `limit`.
    package func receive(
        _ space: SpaceID, from other: some TestedDevice, standing: SpaceStanding = .active,
        later milliseconds: UInt64 = 0, limit: Int = .max
    ) throws {
        let verified = try verified(in: space, from: other, limit: limit)
        let now = Milliseconds(node.clock.wall.value + milliseconds)
        _ = try node.store.log.apply(verified, to: space, now: now)
        try node.store.spaces.setStanding(of: space, to: standing, now: node.clock.wall)
    }
}

extension TestedDevice {
    /// Receives them as work that the engine asks for. Returns what came of it.
    package func receiveAsWork(_ space: SpaceID, from other: some TestedDevice) throws
        -> EngineWork.Done
    {
        let verified = try verified(in: space, from: other, limit: .max)
        let done = node.work.perform(.apply(space, verified, .sound, from: SessionID(1)))
        guard let done else { throw UnexpectedSetUp("nothing was applied") }
        return done
    }

    /// Another device's commits of a space that are not here, with their signatures verified.
    private func verified(
        in space: SpaceID, from other: some TestedDevice, limit: Int
    ) throws -> [VerifiedCommit] {
        let known = node.watermark(of: space)
        let page = try other.node.store.log.commits(of: space, beyond: known, byteLimit: .max)
        let commits = try page.commits.prefix(limit).map { try CommitCodec().decode($0.commit) }
        return node.work.verifier.verify(commits, keys: node.store.keys).commits
    }

    /// Receives another device's first ack of a space: it has all that it has now.
    package func receiveAck(of space: SpaceID, from other: some TestedDevice) throws {
        let ack = Ack(
            space: space, device: other.node.identity.deviceID, counter: 1,
            watermark: other.node.watermark(of: space))
        let signed = UnverifiedAck(ack, bytes: AckCodec().encode(ack), signature: [])
        guard try node.store.statements.keep(SignedAck(verified: signed)) else {
            throw UnexpectedSetUp("the ack was not kept")
        }
    }

    /// Receives another device's small files of a space, as sync would.
    package func receiveFiles(of space: SpaceID, from other: some TestedDevice) throws {
        let found = try node.store.files.missing(of: space).compactMap { file in
            try other.node.store.files.smallContent(of: file.blob).map { (file.blob, $0) }
        }
        try node.store.files.storeSmall(found, in: space, now: node.clock.wall)
    }
}

/// The trip that two agents share.
extension TestedDevice {
    package func add(_ title: String) async throws {
        var draft = MemoryDraft(trip: "Arezzo")
        draft.title = title
        _ = try await service.call(\.memories.add, draft)
    }

    package func titles() async throws -> [String] {
        try await service.call(\.memories.list, MemoryFilter()).map(\.title).sorted()
    }

    package func media() async throws -> [MediaView] {
        try await service.call(\.media.list, MediaFilter())
    }

    /// The contents of all files that can be exported here.
    package func exportedTexts() async throws -> Set<String> {
        var found: Set<String> = []
        for file in try await media() {
            let path = "\(folder)/out-\(UUID().uuidString)"
            _ = try await service.call(\.media.export, id: file.id, ExportTarget(path: path))
            found.insert(try String(contentsOfFile: path, encoding: .utf8))
        }
        return found
    }
}
