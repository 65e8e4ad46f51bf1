package import SyncCore

/// What a commit names, where it is sealed, in place of files that lie in the clear: the names of
/// files are not sealed, and the id of such a file is a hash of what is in it.
package struct SealedFiles: Sendable {
    /// By the id of a file in the clear, the encrypted one.
    package var encrypted: [BlobID: NamedBlob]
    /// Files in the clear that could not be encrypted; nothing names them.
    package var missing: Set<BlobID>
    /// Records to which nothing is written, as they would say nothing without such a file.
    package var left: Set<RecordKey>

    package init(
        encrypted: [BlobID: NamedBlob] = [:], missing: Set<BlobID> = [],
        left: Set<RecordKey> = []
    ) {
        (self.encrypted, self.missing, self.left) = (encrypted, missing, left)
    }

    package func named(_ files: [NamedBlob]) -> [NamedBlob] {
        files.compactMap { missing.contains($0.blob) ? nil : encrypted[$0.blob] ?? $0 }
    }

    /// Without writes that name a file which could not be encrypted.
    package func named(_ operations: [RecordOperation]) -> [RecordOperation] {
        operations.compactMap { operation in
            guard !left.contains(RecordKey(of: operation, under: nil)) else { return nil }
            var named = operation
            named.writes = operation.writes.compactMap { self.named($0) }
            return named.writes.isEmpty ? nil : named
        }
    }

    private func named(_ write: Write) -> Write? {
        let files = [write.value.blob, write.element?.blob].compactMap(\.self)
        guard missing.isDisjoint(with: files) else { return nil }
        var named = write
        named.value = self.named(write.value)
        named.element = write.element.map { self.named($0) }
        return named
    }

    private func named(_ value: Value) -> Value {
        value.blob.flatMap { encrypted[$0] }.map { .blob($0.blob) } ?? value
    }
}
