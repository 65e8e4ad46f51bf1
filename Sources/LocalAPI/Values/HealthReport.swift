/// The findings of `peersync doctor`, and its repairs.
package struct HealthReport: Codable, Sendable, Equatable {
    /// The one sentence to read first.
    package let verdict: String
    /// Nothing is wrong, or everything that was has been repaired.
    package let sound: Bool
    /// In the order in which it was looked at.
    package let findings: [Finding]

    package init(verdict: String, sound: Bool, findings: [Finding]) {
        (self.verdict, self.sound, self.findings) = (verdict, sound, findings)
    }

    /// One thing that was seen.
    package struct Finding: Codable, Sendable, Equatable {
        package let check: Check
        package let severity: Severity
        /// The observation.
        package let sentence: String
        /// The remedy.
        package let remedy: String?
        /// `doctor --repair` can put it right.
        package let repairable: Bool
        /// The repair that was made.
        package var repaired: String?

        package init(
            check: Check, severity: Severity, sentence: String, remedy: String?,
            repairable: Bool = false, repaired: String? = nil
        ) {
            (self.check, self.severity, self.sentence) = (check, severity, sentence)
            (self.remedy, self.repairable, self.repaired) = (remedy, repairable, repaired)
        }
    }

    /// The subject of a check.
    package enum Check: String, Codable, Sendable, CaseIterable {
        /// The permissions of the folder.
        case permissions
        /// Room on the disk.
        case disk
        /// This device's key.
        case identity
        /// Whether the store can be opened and written.
        case store
        /// The database's own structure.
        case database
        /// The commits: hashes, signatures, chains.
        case log
        /// The shown records, compared with the log.
        case shown
        /// The index for searching.
        case search
        /// Whether the records of each space hang together.
        case relations
        /// Photos and other files, against their hashes.
        case files
        /// The report of `status`.
        case sync
        /// This device's clock and the others'.
        case clock
        /// Whether devices can find and reach each other.
        case network
    }

    /// How bad it is.
    package enum Severity: String, Codable, Sendable, CaseIterable {
        case ok
        /// Good to know, nothing to do.
        case note
        /// Something does not work as it should; nothing is lost.
        case warning
        /// Data is damaged, or nothing can be written.
        case error
    }
}

/// Options of an examination.
package struct DoctorRequest: Codable, Sendable, Equatable {
    /// Makes all safe repairs.
    package let repair: Bool
    /// Leaves out names and addresses that reveal something to others.
    package let masked: Bool

    package init(repair: Bool, masked: Bool) { (self.repair, self.masked) = (repair, masked) }
}

/// How far an examination is; there is one at a time.
package struct DoctorView: Codable, Sendable, Equatable {
    /// Grows with every change.
    package let revision: Int
    package let phase: Phase
    /// The current check; present in phase `running`.
    package let check: HealthReport.Check?
    /// How much of that is done, of `total`: files, commits or trips.
    package let done: Int?
    package let total: Int?
    /// Present in phase `done`.
    package let report: HealthReport?
    /// Present in phase `failed`.
    package let failure: APIError?

    package enum Phase: String, Codable, Sendable, CaseIterable {
        case running
        case done
        case failed
    }

    package init(
        revision: Int, phase: Phase, check: HealthReport.Check? = nil, done: Int? = nil,
        total: Int? = nil, report: HealthReport? = nil, failure: APIError? = nil
    ) {
        (self.revision, self.phase, self.check) = (revision, phase, check)
        (self.done, self.total, self.report, self.failure) = (done, total, report, failure)
    }
}

extension HealthReport.Severity {
    /// Whether somebody should act.
    package var isTrouble: Bool { self == .warning || self == .error }
}

extension HealthReport.Check {
    /// As part of a sentence.
    package var words: String {
        switch self {
        case .permissions: tr("permissions")
        case .disk: tr("the disk")
        case .identity: tr("the key")
        case .store: tr("the store")
        case .database: tr("the database")
        case .log: tr("the log")
        case .shown: tr("what is shown")
        case .search: tr("the search index")
        case .relations: tr("how records hang together")
        case .files: tr("photos and files")
        case .sync: tr("how sync stands")
        case .clock: tr("clocks")
        case .network: tr("the network")
        }
    }
}
