/// Where a record or file is, and why it is not everywhere, as far as this device can know.
package struct WhyView: Codable, Sendable, Equatable {
    package let subject: Subject
    package let status: RecordStatus
    /// Every device that may have it has all of it.
    package let everywhere: Bool
    /// The one sentence to read first.
    package let verdict: String
    /// This device, then the others that may read it.
    package let devices: [Device]

    package init(
        subject: Subject, status: RecordStatus, everywhere: Bool, verdict: String,
        devices: [Device]
    ) {
        (self.subject, self.status, self.everywhere) = (subject, status, everywhere)
        (self.verdict, self.devices) = (verdict, devices)
    }

    /// The subject of the question.
    package struct Subject: Codable, Sendable, Equatable {
        package let kind: Kind
        package let id: String
        package let shortID: String
        package let name: String
        /// Absent for a file that no shown record names.
        package let collection: String?
        package let space: Reference
        package let deleted: Bool

        package enum Kind: String, Codable, Sendable, CaseIterable {
            case record, file
        }

        package init(
            kind: Kind, id: String, shortID: String, name: String, collection: String?,
            space: Reference, deleted: Bool
        ) {
            (self.kind, self.id, self.shortID, self.name) = (kind, id, shortID, name)
            (self.collection, self.space, self.deleted) = (collection, space, deleted)
        }
    }

    /// One device, and its missing items.
    package struct Device: Codable, Sendable, Equatable {
        package let device: Reference
        package let person: Reference
        /// The device that answers.
        package let here: Bool
        package let state: State
        /// Commits, and files with their bytes, that it is known to lack.
        package let lacks: WaitingCount
        /// What it has or lacks, in words.
        package let sentence: String
        /// Why, most telling first; empty when it has everything.
        package let reasons: [Reason]
        /// The remedy.
        package let remedy: String?

        package init(
            device: Reference, person: Reference, here: Bool, state: State, lacks: WaitingCount,
            sentence: String, reasons: [Reason], remedy: String?
        ) {
            (self.device, self.person, self.here) = (device, person, here)
            (self.state, self.lacks, self.sentence) = (state, lacks, sentence)
            (self.reasons, self.remedy) = (reasons, remedy)
        }
    }

    package enum State: String, Codable, Sendable, CaseIterable {
        /// It has everything.
        case complete
        case lacksChanges
        /// It has every change, and not every file.
        case lacksFiles
        /// It never said that it took the space.
        case notAccepted
        /// It said nothing that tells.
        case unknown
    }

    package struct Reason: Codable, Sendable, Equatable {
        package let kind: Kind
        package let sentence: String

        package init(kind: Kind, sentence: String) { (self.kind, self.sentence) = (kind, sentence) }

        package enum Kind: String, Codable, Sendable, CaseIterable {
            /// It is on its way right now.
            case moving
            /// In reach, itself or over another device: it comes by itself.
            case soon
            case syncOff
            /// Sync was switched off on the other device.
            case syncOffThere
            /// No agent runs on this device.
            case noAgent
            /// This device cannot write any more.
            case storeStopped
            case notConnected
            /// No address of it is known.
            case noWay
            /// It was called and did not answer.
            case callFailed
            case notAccepted
            /// A file failed three times.
            case failed
            case diskFull
            /// No device has it any more.
            case lost
            /// This computer is in no network.
            case noNetwork
            /// The other device does not trust this one any more.
            case distrusted
            /// Where it was, a device with another key answers.
            case otherKey
            /// It speaks another version of the protocol.
            case foreignVersion
            /// The disk of the other device is full.
            case diskFullThere
            /// It is connected and does not answer.
            case silent
            /// Something else that `status` tells.
            case other
            /// No device that is connected said that it has the file.
            case noSource
            /// It has not said which files it has since this one was added.
            case filesUnsaid
            /// Others have changes that are not here yet and may touch it.
            case behind
            /// The space's schema cannot be followed here.
            case schema
            /// This device may not read the space any more.
            case roleLost
            /// Somebody should decide which value is shown.
            case conflict
        }
    }
}

/// The subject of a question.
package struct WhyScope: Codable, Sendable, Hashable {
    /// Name or id prefix; everywhere when absent.
    package let space: String?

    package init(space: String? = nil) { self.space = space }
}
