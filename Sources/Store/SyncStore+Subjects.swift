/// The subjects of a store. Each is a value that holds the connection to the database and nothing else.
extension SyncStore {
    package var spaces: StoredSpaces { StoredSpaces(connection) }
    package var log: CommitLog { CommitLog(connection) }
    package var sealed: SealedCommits { SealedCommits(connection) }
    package var orphans: OrphanedCommits { OrphanedCommits(connection) }
    package var stranded: StrandedCommits { StrandedCommits(connection) }
    package var records: StoredRecords { StoredRecords(connection) }
    package var files: StoredFiles { StoredFiles(connection) }
    package var freedFiles: FreedFiles { FreedFiles(connection) }
    package var rebuiltFiles: RebuiltFiles { RebuiltFiles(connection) }
    package var devices: KnownDevices { KnownDevices(connection) }
    package var statements: SignedStatements { SignedStatements(connection) }
    package var settings: LocalSettings { LocalSettings(connection) }
    package var pairingCodes: PairingCodes { PairingCodes(connection) }
    package var syncRuns: SyncRuns { SyncRuns(connection) }
    package var losses: LossStatements { LossStatements(connection) }
    package var past: PastReading { PastReading(connection) }
    package var arrivals: ArrivalReading { ArrivalReading(connection) }
    package var unfinished: UnfinishedRecords { UnfinishedRecords(connection) }
    package var reversals: Reversals { Reversals(connection) }
    package var revocationNotices: RevocationNotices { RevocationNotices(connection) }
}
