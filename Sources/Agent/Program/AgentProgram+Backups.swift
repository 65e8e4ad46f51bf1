package import Device
import Files
internal import Identity
package import LocalAPI

/// Backups as files, without an agent.
extension AgentProgram {
    /// The backups in a folder. Throws ``APIError``.
    package static func backups(in path: String) async throws -> BackupList {
        try await StoredBackups.list(in: path)
    }

    /// Verifies all backups in a folder, or the one with this name. Throws ``APIError``.
    package static func verifyBackups(
        in path: String, only name: String? = nil
    ) async throws -> BackupVerification {
        try await StoredBackups.verify(in: path, only: name)
    }

    /// Restores the device of a backup into a home that is empty or missing, and opens it once: it
    /// starts a new log. Throws ``APIError``.
    package static func restore(
        _ home: AgentHome, from path: String, backup name: String?, keyFile: String?
    ) async throws -> RestoreReport {
        guard !home.isInitialised else { throw BackupSentence.notEmpty(home.directory) }
        let (report, last) = try await StoredBackups.restore(
            home, from: path, backup: name, keyFile: keyFile)
        try await translatingErrors(home) {
            let runtime: AgentRuntime
            do {
                runtime = try await AgentRuntime(
                    home, AgentStart(isLongRunning: false), logger: AgentLog.make().logger)
                if let fault = runtime.node.storage.fault {
                    // Without room for a new log.
                    await runtime.close()
                    throw fault
                }
            } catch {
                let left = RestoredHome.remove(home.directory)
                let isWrongKey = error is KeyFileError || error as? AgentError == .keysOfAnother
                guard isWrongKey || left != nil else { throw error }
                throw RestoredHome.failure(
                    isWrongKey ? RestoredHome.wrongKey : ErrorSentence.of(error),
                    in: home.directory, notRemoved: left)
            }
            do {
                try BackupService(runtime.node, runtime.media).note(last)
            } catch {
                await runtime.close()
                throw error
            }
            await runtime.close()
        }
        return report
    }
}
