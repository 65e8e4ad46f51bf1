package import Encryption
package import SyncCore

/// The files to back up, of an agent's device or a simulated one.
package protocol BackupSource {
    /// Files that a record names and that were once here, with their bytes: those that should be here, and
    /// lost ones.
    func filesNamed() throws -> [BlobID: UInt64]
    /// Files that are here, with their bytes.
    func filesHere() async throws -> [(file: BlobID, length: UInt64)]
    func input(_ file: BlobID, length: UInt64) -> any ByteInput
    /// What a reading error says about the file; nil for an unrelated error.
    func absence(of file: BlobID, _ error: any Error) -> BackupAbsence?
    /// Reports a file that is damaged.
    func reportLoss(of file: BlobID) async throws
}

/// Why a file that was here cannot be copied.
package enum BackupAbsence: Hashable, Sendable {
    /// It was released meanwhile, because its trip was left.
    case released
    case damaged
}

/// Stores the files of a backup, each once for all backups of a place. See ``BackupWriter``.
package protocol BackupTarget: AnyObject {
    /// Adds a file, unless it is there. False when its bytes do not match its name.
    func add(_ file: BlobID, _ input: any ByteInput, _ told: (Int) -> Bool) throws -> Bool
    /// Adds a file that is not whole here, if an earlier backup has it.
    func keep(_ file: BlobID, length: UInt64, _ told: (Int) -> Bool) throws(BackupError) -> Bool
    func holds(_ file: BlobID) -> Bool
}

extension BackupWriter: BackupTarget {}

/// Decides the order in which a backup is made, and what may be missing of it.
package struct BackupRun<Source: BackupSource, Target: BackupTarget> {
    private let source: Source
    private let target: Target

    package init(_ source: Source, _ target: Target) {
        (self.source, self.target) = (source, target)
    }

    /// `copyStore` copies the database as it is at one moment. Returns the files that a record names and that
    /// are in no backup of the place. Throws what `copyStore`, the source and the target throw, and
    /// `BackupError.stopped` once `told` answers false.
    package func run(
        copyStore: () throws -> Void, _ told: (_ files: Int, _ bytes: Int) -> Bool
    ) async throws -> Set<BlobID> {
        // The database comes first: the files that it names are there by then, and later ones do no harm.
        try copyStore()
        var named = try source.filesNamed()
        for (file, length) in try await source.filesHere() {
            var isWhole = false
            do {
                isWhole = try target.add(file, source.input(file, length: length)) { told(0, $0) }
            } catch {
                switch source.absence(of: file, error) {
                case .released:
                    named[file] = nil
                    continue
                case .damaged: break
                case nil: throw error
                }
            }
            if !isWhole { try await source.reportLoss(of: file) }
            guard told(1, 0) else { throw BackupError.stopped }
        }
        // An earlier backup may have the last copy of a file that is not whole here.
        return Set(
            try named.filter { file, length in
                try !target.holds(file) && !target.keep(file, length: length) { told(0, $0) }
            }.keys)
    }
}
