import Device
import Dispatch
internal import Foundation
internal import Identity
import Journal
import LocalAPI
import Records
import Store
import SyncCore
internal import Wire

/// The inputs of one examination.
package struct Examination: Sendable {
    let home: AgentHome
    /// The store's file, even if it cannot be opened.
    let database: StoreExamination
    /// Nil if the store is not open.
    let open: OpenStore?
    /// True for a report that other people read: it contains no names.
    let isMasked: Bool
    let missingFiles: MissingFilesLook
    /// Called with the done and total counts; throws if the examination is to stop.
    let progress: @Sendable (Int, Int) throws -> Void

    init(
        of home: AgentHome, _ open: OpenStore?, isMasked: Bool,
        missingFiles: MissingFilesLook = MissingFilesLook(),
        progress: @escaping @Sendable (Int, Int) throws -> Void
    ) throws {
        (self.home, self.open, self.isMasked, self.progress) = (home, open, isMasked, progress)
        self.missingFiles = missingFiles
        let schemas = try SchemaCache()
        database = StoreExamination(
            in: home.directory,
            decoder: CommitCodec(epochKeys: IdentityStore.epochKeys(in: home)),
            verifier: CommitVerifier(), schemas: { schemas.known($0) })
    }

    /// Notes files that lie here whole and count as missing: status would find them a moment later, and say
    /// something else.
    func findMissingFiles() async throws {
        try await missingFiles.once { try await open?.agent?.node.findMissingFiles() }
    }

    /// Whether this process can read the keys of the device.
    var hasKeys: Bool {
        do {
            _ = try IdentityStore.storedKeys(of: home)
            return true
        } catch {
            return false
        }
    }

    /// The name of a device, or the start of its id.
    func name(of device: DeviceID) -> String {
        guard !isMasked, let node = open?.agent?.node else {
            return DeviceIDText.short(of: device)
        }
        return node.distinctReference(device).name
    }

    /// The device of this home; nil if its card cannot be read.
    func ownDevice() throws -> DeviceID? {
        if let node = open?.agent?.node { return node.identity.deviceID }
        guard let encoded = FileManager.default.contents(atPath: home.cardFile) else { return nil }
        let card = try? CardCodec().decode(Array(encoded))
        return (card?.links.last?.content.signingKey).map { DeviceID(sha256($0.bytes)) }
    }

    /// Runs blocking work away from the threads that run async functions, in the language of its caller:
    /// task-local values do not reach another thread by themselves.
    package static func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let language = Language.asked
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(
                    with: Result { try Language.$asked.withValue(language, operation: body) })
            }
        }
    }
}
