/// One thing that a schedule lets happen. Whom and what exactly it concerns is drawn from its own
/// salt, so that leaving out other steps changes nothing of it.
package struct Step: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        // What people do.
        case found, write, grant, revoke, leave, photo, redate, rob, quarrel, encrypt
        case carry
        case lose, find, exchange, steal, pair, recover
        // What they do in a workshop, a space with a schema that has everything.
        case establish, edit, arrange, relate, reform, empower
        // What they ask of the services of the program.
        case undo, bin, apply, reset, move, backUp, putBack
        // What networks do.
        case cut, silence, slow, fray, partition, join
        // What machines do.
        case crash, restart, skew, copy, restore, rollBack
        case dyingDisk, failingDisk, fullDisk, loseFile, spoil
        // What hostile members do.
        case attack
        /// Time goes on, by `amount` milliseconds.
        case pass
    }

    package var kind: Kind
    /// The replica that does it, or to which it happens.
    package var actor: Int
    /// Another replica, where there is one.
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
        case .found, .write, .grant, .lose, .find, .exchange, .steal, .revoke, .leave, .photo,
            .redate, .establish, .edit, .arrange, .relate, .reform, .empower, .rob, .quarrel,
            .encrypt, .carry, .pair, .recover, .undo, .bin, .apply, .reset, .move,
            .backUp:
            true
        default: false
        }
    }
}

extension Step {
    /// For a test that keeps a schedule that failed once.
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

/// One run, as it is drawn from a seed or cut down from another.
package struct Schedule: Sendable, Hashable {
    package var seed: UInt64
    /// By replica: which person owns it.
    package var owners: [Int]
    /// By replica: what its wall clock shows more than the true time, in milliseconds.
    package var skews: [Int64]
    /// By replica: how it breaks the rules, when it does.
    package var roles: [Role]
    /// Replicas with a program that reads no newer schemas.
    package var outdated: Set<Int> = []
    /// Milliseconds that a message takes at least, everywhere.
    package var latency: UInt64
    package var steps: [Step]
    package var canary: Canary?
    /// Nobody declines an offer.
    package var takesAllOffers = false
    /// Before everything is mended some devices alone come right.
    package var healsInPart = false

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
        /// Claims watermarks and acks that are not true.
        case liar
        /// Says too much.
        case flooder
        /// Sends what belongs to one space as if it were of another, and old words again.
        case replayer
        /// Keeps back what others wrote, and goes back itself.
        case withholder
        /// Writes what its grant does not allow.
        case trespasser
        /// Writes two different commits at one position.
        case forker
    }
}

/// A fault put into the simulator's own parts, which its checkers must find.
package enum Canary: String, Sendable, Hashable, CaseIterable {
    /// What a commit had seen is forgotten before it is merged.
    case mergeIgnoresCausality
    /// A device says that it has what it is still storing.
    case acknowledgedTooEarly
    /// Commits take the time of their arrival.
    case arrivalOrder
    /// The disk forgets to write down what it was told to.
    case noSync
    /// Elements of sets get lost on the way.
    case forgottenElement
    /// A strategy that shows what came first.
    case firstToArrive
    /// Whoever encrypts goes on under the first key of all, whoever has it.
    case reusedEpoch
    /// As long as one device is silent nothing arrives from anybody.
    case waitsForSilent
    /// Undoing takes back what others wrote since, too.
    case undoesOver
    /// A service gives a record that it writes to another title, too.
    case servesMore
    /// A service leaves out the first record of several that it is to write.
    case servesLess
    /// A backup has the file of the database alone, without what stands beside it.
    case copiesFileAlone
    /// The files of a backup are looked at before its database.
    case listsFilesFirst
    /// A backup is put back into the very file that it was made of, so that the device does not notice.
    case restoresInPlace
}

/// Something that not every schedule has.
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
    case dataSet = "data sets"
    case reset = "full resets"
    case move = "memories moved"
    case interruptedMove = "moves interrupted"
    case backup = "backups"
    case putBack = "backups put back"
    case healingInPart = "an end at which only some are well"
}
