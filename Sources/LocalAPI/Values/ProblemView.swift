/// Something about sync that a person should know, with what can be done about it. Every command that
/// speaks of sync takes its words from here.
package struct ProblemView: Codable, Sendable, Equatable {
    package let kind: Kind
    /// It makes the sign `!`: something does not go on as it should until somebody acts.
    package let urgent: Bool
    /// The device that it is about; absent when it is about this one.
    package let device: Reference?
    /// The trip or space that it is about.
    package let space: Reference?
    /// How many files, changes or entries.
    package let count: Int?
    /// The problem as one whole sentence.
    package let sentence: String
    /// The remedy.
    package let remedy: String?
    /// Failed attempts.
    package let tries: TriesView?

    package init(
        kind: Kind, urgent: Bool, device: Reference? = nil, space: Reference? = nil,
        count: Int? = nil, sentence: String, remedy: String?, tries: TriesView? = nil
    ) {
        self.kind = kind
        self.urgent = urgent
        self.device = device
        self.space = space
        self.count = count
        self.sentence = sentence
        self.remedy = remedy
        self.tries = tries
    }

    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// This device cannot read or write its store any more.
        case storageFault
        /// The disk of this device is full.
        case diskFull
        /// The clock of this device is wrong: all others agree on another time.
        case clockHere
        /// Damaged entries of this device are being rebuilt or fetched again.
        case damaged
        /// This device was reported lost: others give it nothing.
        case calledLost
        /// Two devices of this person exchanged the recovery key, each for another one: neither counts.
        case contestedKey
        case syncOff
        /// A command opened the store, and no agent runs.
        case noAgent
        /// No network interface of this device is connected.
        case noNetwork
        /// Avahi does not answer: devices are not found by themselves.
        case noDiscovery
        /// Another program has the wanted TCP port, and another one is used.
        case portTaken
        /// A firewall of this machine keeps others from finding this device or connecting to it, or
        /// is on and may.
        case firewall
        /// The other device is lost: it gets nothing.
        case deviceLost
        /// A device of this person came into trips by the recovery key alone.
        case cameByKey
        /// The other device does not trust this one any more.
        case distrusted
        /// Where the device was, one with another key answers.
        case otherKey
        /// The other device speaks another version of the protocol.
        case foreignVersion
        /// The disk of the other device is full.
        case diskFullThere
        /// Sync was switched off on the other device, and something waits for it.
        case syncOffThere
        /// The clocks of the other device and of this one are far apart.
        case clockThere
        /// Changes of a device are dated in the future: its clock is or was wrong.
        case changesAhead
        /// The device sent changes without the right to make them; nobody keeps them.
        case changesRefused
        /// The device sent broken or changed data; nobody keeps it.
        case brokenData
        /// Two agents run with one device's key: a home was copied. Without a device: this home is a copy.
        case runsTwice
        /// The device passes on changes without those that come before them.
        case leavesOut
        /// Deliveries to the device failed several times.
        case undelivered
        /// Connected, and nothing comes from it any more.
        case silent
        /// Files that every device which may have them lacks.
        case lostFiles
        /// Files that were here and are gone from this disk, or damaged: they are fetched again.
        case goneFiles
        /// A data set that this device follows asks for something, or could not be applied.
        case dataSet
        /// Memories are in two trips, as this device stopped while it moved them.
        case interruptedMove
        /// Files that failed several times.
        case givenUpFiles
        /// Files that do not fit on the disk of this device.
        case noRoom
        /// A trip of an older version of the journal, which this person may give the newest fields.
        case olderFields
        /// Changes that do not count, because a device was put back to an older state.
        case quarantined
        /// A device that was away brought changes from long before.
        case lateChanges
        /// A device deleted many records at once.
        case manyDeletions
        /// Entries that were changed on several devices at once.
        case conflicts
        /// Entries that came with the last sync and are not complete.
        case incomplete
        /// Changes that do not count, because their author had no right to make them.
        case orphans
        /// A person without the right to write sends more changes than are accepted at once.
        case tooMuch
        /// Changes of an encrypted trip that cannot be read here, as their key has not come yet.
        case closed
        /// Changes from before the encryption whose content no device has sent.
        case withoutContent
        /// The schema of a trip or space cannot be followed here: arriving changes are kept, but not shown.
        case schemaObstacle
        /// Changes that say something only a newer peersync understands.
        case newerParts
        /// A trip or space was revoked from this device: its local copy stays.
        case taken
        /// A trip or space that was deleted: by somebody else, or while somebody wrote in it.
        case deletedSpace
        /// A trip or space that somebody gives and that waits for an answer.
        case invitation
        /// A person to whom this person gave a trip or space has not answered yet.
        case unanswered
        /// The person declined.
        case declined
        /// This person left a trip or space, and nobody else knows it yet; with changes that nobody else has.
        case unsentLeave
        /// Somebody asks for a right that this person can grant.
        case request
    }
}

/// Failed attempts, and the time of the next one.
package struct TriesView: Codable, Sendable, Hashable {
    package let failed: Int
    /// Absent when nothing is tried before somebody acts.
    package let nextTry: Moment?
    /// In words.
    package let lastError: String?
    package let trouble: TroubleKind?

    package init(failed: Int, nextTry: Moment?, lastError: String?, trouble: TroubleKind?) {
        self.failed = failed
        self.nextTry = nextTry
        self.lastError = lastError
        self.trouble = trouble
    }
}

/// The four kinds of trouble with others, by remedy.
package enum TroubleKind: String, Codable, Sendable, CaseIterable {
    /// Carry on, and try again.
    case noNetwork = "no-network"
    /// Try again, later each time.
    case peerTrouble = "peer-trouble"
    /// Not tried again by itself: a person is told.
    case refused
    /// Nothing more until a person acts.
    case notTrusted = "not-trusted"
}
