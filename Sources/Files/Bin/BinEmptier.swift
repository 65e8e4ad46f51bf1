package import Device
package import LocalAPI
internal import Logging
internal import Media
internal import Records
internal import Store
package import SyncCore

/// Frees the files of deleted records on this device: ``FileRelease`` decides which, and this acts.
package struct BinEmptier: Sendable {
    private let node: AgentNode
    private let files: BlobFiles

    package init(_ node: AgentNode, _ media: MediaLibrary) {
        (self.node, files) = (node, media.files)
    }

    /// What may be freed in a space, or in all, `days` after it was deleted, and what waits.
    package func preview(in space: SpaceID?, days: Int) throws -> BinEmptied {
        try node.snapshot { try Plan(node, in: space, days: days).report }
    }

    /// Frees it. Noted first, removed then; what cannot be removed counts as here again at the next start.
    package func run(in space: SpaceID?, days: Int) async throws -> BinEmptied {
        for _ in 0..<Limits.freeingTries {
            let plan = try node.store.snapshot { version in
                try Plan(node, in: space, days: days, version: version)
            }
            guard !plan.free.isEmpty else { return plan.report }
            let isNoted = try await node.store.offloaded { [now = node.now] in
                try $0.free(plan.free, decidedAt: plan.version, now: now)
            }
            guard isNoted else { continue }
            // The others hear it also when removing fails.
            node.loop.post(
                .filesFreed(in: Set(try plan.free.flatMap { try node.store.spaces(naming: $0) })))
            let before = Int64(node.now.value / 1000) - Limits.untouchedSeconds
            for blob in plan.free { _ = try await files.remove(blob, finishedBefore: before) }
            return plan.report
        }
        throw APIError(
            code: .busy, sentence: "Too much is being written now.",
            hint: "Nothing was freed. Try again in a moment.")
    }

    /// Looks every hour whether something may go, while this device is set to free files.
    package func keepFree() async {
        while !Task.isCancelled {
            do {
                if try BinService.freesFiles(node.store) {
                    let days = try BinService(node).days()
                    let emptied = try await run(in: nil, days: days)
                    if emptied.files > 0 {
                        node.logger.note(
                            .info, .files, "files freed",
                            details: ["files": "\(emptied.files)", "bytes": "\(emptied.bytes)"])
                    }
                }
                try await Task.sleep(for: .seconds(Limits.freeingSeconds))
            } catch is CancellationError {
                return
            } catch let error as APIError where error.code == .busy {
                try? await Task.sleep(for: .seconds(Limits.freeingSeconds))
            } catch {
                node.notWritten("files not freed", error)
                return
            }
        }
    }
}

/// What may be freed at one moment.
private struct Plan {
    private(set) var free: [BlobID] = []
    private(set) var report = BinEmptied()
    let version: UInt64

    init(_ node: AgentNode, in space: SpaceID?, days: Int, version: UInt64 = 0) throws {
        self.version = version
        let freeable = FreeableFiles(node)
        var seen: Set<BlobID> = []
        var waiting: Set<DeviceID> = []
        for space in space.map({ [$0] }) ?? node.store.ledgers.keys.sorted() {
            for (file, _) in try freeable.all(in: space) where seen.insert(file.blob).inserted {
                switch file.release.verdict(days: days, at: node.now) {
                case .free:
                    free.append(file.blob)
                    report.files += 1
                    report.bytes += Int64(clamping: file.size)
                case .waits(let devices):
                    report.waiting += 1
                    waiting.formUnion(devices)
                case .later: report.later += 1
                case .absent, .needed: break
                }
            }
        }
        report.waitingFor = waiting.sorted().map { node.reference($0) }
    }
}

extension Limits {
    /// How often is decided anew what to free because something was written meanwhile.
    static let freeingTries = 5
    /// How often a device looks whether files may be freed.
    static let freeingSeconds: Int64 = 3600
    /// A file that came shorter ago is not removed: it is about to be noted as here.
    static let untouchedSeconds: Int64 = 120
}
