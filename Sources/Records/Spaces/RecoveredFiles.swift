internal import LocalAPI
internal import Store
internal import SyncCore

/// The files of commits that are rewritten in an encrypted space, one commit after the other.
///
/// Files from before the encryption are encrypted first. Records of files whose bytes are missing are left
/// out; everything else is recovered.
struct RecoveredFiles {
    private let replica: any Replica
    private let space: SpaceID
    /// The files that earlier commits name instead of unencrypted ones.
    private var files = SealedFiles()
    /// Names of the files that were left out.
    private(set) var missing: [String] = []

    init(_ replica: any Replica, in space: SpaceID) {
        (self.replica, self.space) = (replica, space)
    }

    /// Rewrites a commit; false when it has only files that are left out. Throws as
    /// ``Replica/recover(_:of:naming:in:)`` and ``Replica/encryptFiles(_:in:_:)``.
    mutating func recover(_ orphan: Orphan, of orphans: Orphans) async throws -> Bool {
        guard isToBeSealed else {
            do {
                try await replica.recover(orphan, of: orphans, naming: nil, in: space)
                return true
            } catch StoreError.filesInClear where isToBeSealed {
                // The space was encrypted meanwhile.
                return try await recover(orphan, of: orphans)
            }
        }
        let content = try replica.store.orphans.content(of: orphan).commit
        try await encrypt(content)
        let schema = try replica.requireSchema(of: space)
        let operations = content.operations.map { schema.current($0) }
        try leaveOut(operations, content.clear.blobs, schema)
        guard operations.isEmpty || !files.named(operations).allSatisfy(\.isTouch) else {
            return false
        }
        try await replica.recover(orphan, of: orphans, naming: files, in: space)
        return true
    }

    private var isToBeSealed: Bool {
        replica.store.spaces.isToBeSealed(space)
    }

    private mutating func encrypt(_ content: UnverifiedCommit) async throws {
        var plain: [NamedBlob] = []
        for file in content.clear.blobs
        where files.encrypted[file.blob] == nil && !files.missing.contains(file.blob) {
            switch try replica.form(of: file.blob, in: space) {
            case .encrypted: continue
            case .plain: plain.append(file)
            case .closed where try !isSealed(file.blob, content): plain.append(file)
            case .missing where try !isSealed(file.blob, content): files.missing.insert(file.blob)
            case .closed, .missing: continue
            }
        }
        guard !plain.isEmpty else { return }
        let meter = ProgressMeter(.encrypting, plain)
        let made = try await replica.encryptFiles(plain, in: space, meter)
        files.encrypted.merge(made) { $1 }
        files.missing.formUnion(plain.map(\.blob).filter { made[$0] == nil })
    }

    /// A file that a sealed commit names was added as an encrypted one.
    private func isSealed(_ blob: BlobID, _ content: UnverifiedCommit) throws -> Bool {
        try content.header.epoch != nil || replica.store.files.isNamedSealed(blob)
    }

    /// Leaves out references to missing files; records that stand for one are left out whole.
    private mutating func leaveOut(
        _ operations: [RecordOperation], _ named: [NamedBlob], _ schema: Schema
    ) throws {
        let reader = RecordReader(replica, space, schema)
        let pictures = Set(named.filter { $0.kind == .thumbnail }.map(\.blob))
        for operation in operations {
            let lost = operation.writes.compactMap(\.value.blob).filter(files.missing.contains)
            guard !lost.isEmpty, let collection = schema.collection(operation.collection) else {
                continue
            }
            let shown = try reader.shown(operation.collection, operation.record)
            let people = lost.filter { !pictures.contains($0) }
            if shown == nil, !people.isEmpty, schema.isFile(collection) {
                files.left.insert(RecordKey(of: operation, under: nil))
            }
            let name = name(operation, collection, shown, reader)
            missing += Array(repeating: name, count: max(people.count, 1))
        }
    }

    private func name(
        _ operation: RecordOperation, _ collection: CollectionSchema, _ shown: ShownEntry?,
        _ reader: RecordReader
    ) -> String {
        let title = operation.writes.last { $0.field == collection.titleField?.name }?.value.text
            .map { ShownText.line($0) }
        let known = shown.map { reader.title($0.record, in: operation.collection) }
        return [title, known].compactMap(\.self).first { !$0.isEmpty }
            ?? String(operation.record.description.prefix(8))
    }
}
