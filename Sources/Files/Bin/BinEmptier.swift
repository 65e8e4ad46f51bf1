package import Device
package import LocalAPI
internal import Logging
internal import Media
internal import Records
internal import Store
package import SyncCore

/// Frees the files of deleted records on this device: ``FreeingPlan`` says which, and this acts.
package struct BinEmptier: Sendable {
    private let node: AgentNode
    private let files: BlobFiles
    private let hold: FreeingHold
    private let loss: LostBlobs

    package init(_ node: AgentNode, _ media: MediaLibrary) {
        (self.node, files, hold, loss) = (node, media.files, media.hold, media.loss)
    }

    /// The files that may be freed in a space, or in all, `days` after their deletion, and those that wait.
    package func preview(in space: SpaceID?, days: Int) throws -> BinEmptied {
        try FreeingPlan.make(for: node, in: space, days: days).report
    }

    /// Frees these files. They are noted first and removed then; a file that cannot be removed counts as here again at the next start.
    package func run(in space: SpaceID?, days: Int) async throws -> BinEmptied {
        guard let emptied = try await hold.freeing({ try await free(in: space, days: days) })
        else {
            throw APIError(
                code: .busy, sentence: "A backup is being made, or files are being freed already.",
                hint: "Nothing was freed. Try again when that is done.")
        }
        return emptied
    }

    private func free(in space: SpaceID?, days: Int) async throws -> BinEmptied {
        for _ in 0..<Limits.freeingTries {
            let plan = try FreeingPlan.make(for: node, in: space, days: days)
            guard !plan.files.isEmpty else { return plan.report }
            let isNoted = try await node.store.offloaded { [now = node.now] in
                try plan.note(in: $0, now: now)
            }
            guard isNoted else { continue }
            // The others hear it also when removing fails.
            node.loop.post(
                .filesFreed(
                    in: Set(try plan.files.flatMap { try node.store.files.spaces(naming: $0) })))
            let before = Int64(node.now.value / 1000) - Limits.untouchedSeconds
            try await remove(plan.files, finishedBefore: before)
            return plan.report
        }
        throw APIError(
            code: .busy, sentence: "Too much is being written now.",
            hint: "Nothing was freed. Try again in a moment.")
    }

    /// Removes files that were noted as freed and got their names before a time in seconds since 1970. A file that
    /// somebody wanted again meanwhile stays and counts as here: it may be the last copy.
    package func remove(_ noted: [BlobID], finishedBefore time: Int64) async throws {
        var wanted: [BlobID] = []
        for blob in noted {
            if try node.store.files.blob(blob)?.isFreed == true {
                _ = try await files.remove(blob, finishedBefore: time)
            } else {
                wanted.append(blob)
            }
        }
        try await loss.findAgain(wanted, now: node.now)
    }

    /// Frees what may go, if this device is set to free files.
    package func freeWhatMay() async throws {
        guard try BinService.freesFiles(node.store) else { return }
        do {
            let emptied = try await run(in: nil, days: try BinService(node).days())
            guard emptied.files > 0 else { return }
            node.logger.note(
                .info, .files, "files freed",
                details: ["files": "\(emptied.files)", "bytes": "\(emptied.bytes)"])
        } catch let error as APIError where error.code == .busy {
            // The next time, then.
        }
    }
}

extension Limits {
    /// How often it decides again what to free, because something was written meanwhile.
    static let freeingTries = 5
    /// A file that came shorter ago is not removed: it is about to be noted as here.
    static let untouchedSeconds: Int64 = 120
}
