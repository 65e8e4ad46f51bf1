package import Encryption
package import SyncCore

/// The files of what is backed up: the device of an agent, or a simulated one.
package protocol BackupSource {
    /// Files that were here and are named by a record, with their bytes: those that should be here, and what was lost.
    func filesNamed() throws -> [BlobID: UInt64]
    /// Files that are here, with their bytes.
    func filesHere() async throws -> [(file: BlobID, length: UInt64)]
    func input(_ file: BlobID, length: UInt64) -> any ByteInput
    /// What an error of reading a file says of it; nil when it says nothing.
    func absence(of file: BlobID, _ error: any Error) -> BackupAbsence?
    /// A file is not what it was.
    func reportLoss(of file: BlobID) async throws
}

/// Why a file that was here cannot be copied.
package enum BackupAbsence: Hashable, Sendable {
    /// It was let go meanwhile, as its trip was left.
    case released
    case damaged
}

/// Where files of a backup go, each once for all backups of a place. See ``BackupWriter``.
package protocol BackupTarget: AnyObject {
    /// Takes in a file, unless it is there. False where its bytes are not those of its name.
    func add(_ file: BlobID, _ input: any ByteInput, _ told: (Int) -> Bool) throws -> Bool
    /// Takes in a file that is not whole here, where an earlier backup has it.
    func keep(_ file: BlobID, length: UInt64, _ told: (Int) -> Bool) throws(BackupError) -> Bool
    func holds(_ file: BlobID) -> Bool
}

extension BackupWriter: BackupTarget {}

/// In which order a backup is made, and what of it may be missing.
package struct BackupRun<Source: BackupSource, Target: BackupTarget> {
    private let source: Source
    private let target: Target

    package init(_ source: Source, _ target: Target) {
        (self.source, self.target) = (source, target)
    }

    /// `copyStore` copies the database as it is at one moment. Returns how many files that a record names are in no
    /// backup of the place. Throws what it, the source and the target throw, and `BackupError.stopped` once `told`
    /// answers false.
    package func run(
        copyStore: () throws -> Void, _ told: (_ files: Int, _ bytes: Int) -> Bool
    ) async throws -> Int {
        // The database first: every file that it names is there, and what comes later does no harm.
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
        // Of what is not whole here, an earlier backup may have the last copy.
        return try named.filter { file, length in
            try !target.holds(file) && !target.keep(file, length: length) { told(0, $0) }
        }.count
    }
}
