/// One event of a schedule. Its details are drawn from its own salt, so that leaving out other
/// steps does not change it.
package struct Step: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        // People's actions.
        case found, write, compose, grant, revoke, leave, photo, redate, rob, quarrel, encrypt
        case carry
        case lose, find, exchange, steal, pair, recover
        // Actions in a workshop, a space with a schema that has everything.
        case establish, edit, arrange, relate, reform, empower
        // Requests to the program's services.
        case undo, bin, free, apply, reset, move, backUp, putBack
        // Network events.
        case cut, silence, slow, fray, partition, join
        // Machine events.
        case crash, restart, skew, copy, restore, rollBack
        case dyingDisk, failingDisk, fullDisk, loseFile, spoil
        // Actions of hostile members.
        case attack
        /// Time passes, by `amount` milliseconds.
        case pass
    }

    package var kind: Kind
    /// The replica that acts or is affected.
    package var actor: Int
    /// Another replica, if there is one.
    package var other: Int
    package var amount: UInt64
    package var salt: UInt64

    package init(
        _ kind: Kind, _ actor: Int, _ other: Int = 0, _ amount: UInt64 = 0, salt: UInt64
    ) {
        self.kind = kind
        self.actor = actor
        self.other = other
        self.amount = amount
        self.salt = salt
    }

    var isFault: Bool {
        switch kind {
        case .cut, .silence, .slow, .fray, .partition, .crash, .skew, .restore, .rollBack,
            .attack, .dyingDisk, .failingDisk, .fullDisk, .loseFile, .spoil, .putBack:
            true
        default: false
        }
    }

    var isOperation: Bool {
        switch kind {
        case .found, .write, .compose, .grant, .lose, .find, .exchange, .steal, .revoke, .leave,
            .photo, .redate, .establish, .edit, .arrange, .relate, .reform, .empower, .rob,
            .quarrel, .encrypt, .carry, .pair, .recover, .undo, .bin, .free, .apply, .reset, .move,
            .backUp:
            true
        default: false
        }
    }
}

extension Step {
    /// For a test that keeps a schedule which failed once.
    package var literal: String {
        "Step(.\(kind), \(actor), \(other), \(amount), salt: 0x\(String(salt, radix: 16)))"
    }
}

extension Step: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .pass: "pass \(amount) ms"
        case .grant, .carry, .lose, .find, .steal, .empower, .revoke, .rob, .quarrel, .cut,
            .silence, .fray, .pair:
            "\(kind) \(actor) -> \(other)"
        case .slow: "slow \(actor) -> \(other) by \(amount) ms"
        case .skew: "skew \(actor) by \(Int64(bitPattern: amount)) ms"
        case .join: "join all"
        default: "\(kind) \(actor)"
        }
    }
}

/// One run, drawn from a seed or reduced from another.
package struct Schedule: Sendable, Hashable {
    package var seed: UInt64
    /// For each replica, the person who owns it.
    package var owners: [Int]
    /// For each replica, its wall clock minus the true time, in milliseconds.
    package var skews: [Int64]
    /// For each replica, how it breaks the rules, if it does.
    package var roles: [Role]
    /// Replicas with a program that reads no newer schemas.
    package var outdated: Set<Int> = []
    /// The shortest time of a message in milliseconds, on all connections.
    package var latency: UInt64
    package var steps: [Step]
    package var canary: Canary?
    /// Nobody declines an offer.
    package var takesAllOffers = false
    /// Before everything is mended some devices alone come right.
    package var healsInPart = false
    /// Who asks for commits gets one at a time: a group that was not sent live comes in pieces.
    package var sendsSingly = false

    package init(
        seed: UInt64, owners: [Int], skews: [Int64], roles: [Role]? = nil, latency: UInt64,
        outdated: Set<Int> = [], steps: [Step]
    ) {
        self.seed = seed
        self.owners = owners
        self.skews = skews
        self.roles = roles ?? owners.map { _ in .honest }
        self.latency = latency
        self.outdated = outdated
        self.steps = steps
    }

    package enum Role: String, Sendable, Hashable, CaseIterable {
        case honest
        /// Claims false watermarks and acks.
        case liar
        /// Sends too much.
        case flooder
        /// Sends messages of one space as if they were of another, and repeats old ones.
        case replayer
        /// Withholds others' commits, and restores itself from a copy.
        case withholder
        /// Writes commits beyond its grant.
        case trespasser
        /// Writes two different commits at one position.
        case forker
    }
}

/// A fault planted into the simulator's own parts, which its checkers must find.
package enum Canary: String, Sendable, Hashable, CaseIterable {
    /// The positions that a commit had seen are dropped before merging.
    case mergeIgnoresCausality
    /// A device acknowledges commits that it is still storing.
    case acknowledgedTooEarly
    /// Commits get the time of their arrival.
    case arrivalOrder
    /// The disk does not write synced data.
    case noSync
    /// Elements of sets are lost.
    case forgottenElement
    /// A strategy that shows the value that arrived first.
    case firstToArrive
    /// An encrypting device always uses the first key, even if a removed device has it.
    case reusedEpoch
    /// As long as one device is silent nothing arrives from anybody.
    case waitsForSilent
    /// Undoing takes back what others wrote since, too.
    case undoesOver
    /// A service also changes the title of a record that it writes.
    case servesMore
    /// A service leaves out the first of several records that it writes.
    case servesLess
    /// A backup has only the file of the database, without the files beside it.
    case copiesFileAlone
    /// The files of a backup are listed before its database is copied.
    case listsFilesFirst
    /// A backup is restored into the same file that it was made from, so that the device does not
    /// notice.
    case restoresInPlace
    /// Files of deleted records are freed although not everybody has acknowledged their deletion.
    case freesUnheard
}

/// An event that not every schedule has.
package enum Deed: String, Sendable, Hashable, CaseIterable {
    case schemaChange = "schema changes"
    case newerFormat = "schemas of newer programs"
    case readOnly = "a space that an older program cannot read"
    case setEdit = "set edits"
    case orderEdit = "order edits"
    case referenceEdit = "reference edits"
    case deletion = "deletions"
    case staleSave = "saves of forms opened before"
    case authorityGrant = "grants of authority"
    case authorityWrite = "words of an authority"
    case retelling = "spaces told anew"
    case sealedWrite = "sealed writes"
    case rotation = "keys changed"
    case removedReader = "sealed writes that somebody removed cannot open"
    case vault = "vaults"
    case loss = "devices called lost, or found"
    case theft = "words of a stolen recovery key"
    case exchange = "recovery keys exchanged"
    case pairing = "pairings in the middle"
    case recovery = "recovery keys typed"
    case spoiled = "damaged stores"
    case emptied = "stores of which a whole space was lost"
    case naming = "devices that write their name"
    case undo = "undos"
    case redo = "redos"
    case bin = "records brought back"
    case freeing = "files freed"
    case wanting = "freed files wanted again"
    case dataSet = "data sets"
    case reset = "full resets"
    case move = "memories moved"
    case interruptedMove = "moves interrupted"
    case backup = "backups"
    case putBack = "backups put back"
    case healingInPart = "an end at which only some are well"
}
