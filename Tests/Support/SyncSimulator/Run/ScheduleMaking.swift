internal import TestKit

extension Schedule {
    /// The schedule of a seed.
    package init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = random.pick([2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 6]) ?? 2
        self.init(seed: seed, owners: [0], skews: [], roles: [], latency: 0, steps: [])
        for _ in 1..<count {
            let newest = owners.max() ?? 0
            owners.append(random.chance(35) ? random.index(below: newest + 1) : newest + 1)
        }
        skews = (0..<count).map { _ in Schedule.skew(&random) }
        roles = Array(repeating: .honest, count: count)
        if count > 2 && random.chance(40) {
            let hostile = 1 + random.index(below: count - 1)
            // A hostile device is a person's only one: nobody is safe from their own devices.
            if owners.count(where: { $0 == owners[hostile] }) == 1 {
                roles[hostile] = random.pick(Schedule.hostileRoles) ?? .honest
            }
        }
        latency = [1, 5, 20, 150][random.index(below: 4)]
        // Half are about trips, half about spaces of another schema; some about both.
        let hasWorkshop = random.chance(50)
        steps = [Step(hasWorkshop ? .establish : .found, 0, salt: random.next())]
        if hasWorkshop, random.chance(35) {
            let elder = random.index(below: count)
            if roles[elder] == .honest { outdated = [elder] }
        }
        if random.chance(30) { steps.append(step(.found, &random)) }
        for index in 1..<count where random.chance(80) {
            steps.append(Step(.grant, 0, index, salt: random.next()))
        }
        let hasAllJoined = hasWorkshop && random.chance(60)
        if hasAllJoined {
            // The granted devices have accepted: with fewer steps more happens.
            steps.append(Step(.pass, 0, 0, 3_500, salt: random.next()))
        }
        addDeeds(hasWorkshop: hasWorkshop, hasAllJoined: hasAllJoined, &random)
        addSomeSteps(seed)
        addScenes(seed)
        healsInPart = Schedule.healsInPart(seed)
        sendsSingly = isToSendSingly(seed)
    }

    /// Steps that some schedules have, each drawn apart: with new ones the others stay as they were.
    private mutating func addSomeSteps(_ seed: UInt64) {
        encryptSome(seed)
        carrySome(seed)
        loseSome(seed)
        exchangeSome(seed)
        spoilSome(seed)
        pairSome(seed)
        undoSome(seed)
        applySome(seed)
        backUpSome(seed)
        moveSome(seed)
        freeSome(seed)
    }

    /// In some schedules every device writes its name into the spaces it joins.
    var isNamed: Bool {
        var random = SeededGenerator(seed: seed ^ 0x6E61_6D65)
        return random.chance(30)
    }

    /// In some schedules devices are paired while others work, and a person types a recovery key.
    private mutating func pairSome(_ seed: UInt64) {
        insertSome(seed ^ 0x7061_6972, in: 30, .pair, share: 60, .recover)
    }

    /// In some schedules people undo their changes and deletions.
    private mutating func undoSome(_ seed: UInt64) {
        insertSome(seed ^ 0x756E_646F, in: 40, .undo, share: 65, .bin)
    }

    /// In some schedules with a trip, admins apply a data set, in any versions.
    private mutating func applySome(_ seed: UInt64) {
        guard steps.contains(where: { $0.kind == .found }) else { return }
        insertSome(seed ^ 0x6461_7461_7365_7473, in: 40, .apply, share: 75, .reset)
    }

    /// In some schedules with two trips, people move memories.
    private mutating func moveSome(_ seed: UInt64) {
        guard steps.count(where: { $0.kind == .found }) > 1 else { return }
        insertSome(seed ^ 0x6D6F_7665, in: 60, .move, share: 100, .move)
    }

    /// In some schedules with a trip, people delete photos, and devices free their files.
    private mutating func freeSome(_ seed: UInt64) {
        guard steps.contains(where: { $0.kind == .found }) else { return }
        insertSome(seed ^ 0x6672_6565, in: 40, .free, share: 60, .photo)
    }

    /// Steps that belong together, for what is rare by chance.
    private mutating func addScenes(_ seed: UInt64) {
        composeSome(seed)
        forkSome(seed)
        trespassSome(seed)
    }

    /// In some schedules people work on one text at once, and go on from what came of it.
    private mutating func composeSome(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x636F_6D70_6F73_6500)
        guard random.chance(40) else { return }
        var scene: [Step] = []
        for round in 0...(1 + random.index(below: 3)) {
            for _ in 0..<(round == 0 ? 1 : 2 + random.index(below: 2)) {
                scene.append(
                    Step(.compose, random.index(below: owners.count), salt: random.next()))
            }
            scene.append(Step(.pass, 0, 0, random.chance(80) ? 3_000 : 30, salt: random.next()))
        }
        insertLate(scene, &random)
    }

    /// In some schedules a device goes back to a copy and writes on, what it wrote before is known to others, and
    /// somebody takes its rights meanwhile: that pins one of the branches.
    private mutating func forkSome(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x666F_726B_7300_0000)
        let devices = owners.indices.dropFirst().filter { roles[$0] == .honest }
        guard random.chance(25), let device = random.pick(devices) else { return }
        var scene: [Step] = []
        func add(_ kind: Step.Kind, _ actor: Int, _ other: Int = 0, _ amount: UInt64 = 0) {
            scene.append(Step(kind, actor, other, amount, salt: random.next()))
        }
        add(.copy, device)
        for _ in 0...random.index(below: 3) { add(random.chance(50) ? .write : .edit, device) }
        add(.pass, 0, 0, 3_000)
        if random.chance(70) { add(.partition, 0) }
        add(.rollBack, device)
        for _ in 0...random.index(below: 3) { add(random.chance(50) ? .write : .edit, device) }
        if random.chance(60) { add(.rob, 0, device) }
        for _ in 0...random.index(below: 2) {
            add(random.chance(50) ? .write : .edit, random.index(below: owners.count))
        }
        add(.pass, 0, 0, random.chance(50) ? 300 : 3_000)
        add(.join, 0)
        add(random.chance(50) ? .write : .edit, random.index(below: owners.count))
        insertLate(scene, &random)
    }

    /// In the second half: more devices take part by then.
    private mutating func insertLate(_ scene: [Step], _ random: inout SeededGenerator) {
        let half = steps.count / 2
        let place = max(1, half + random.index(below: steps.count - half + 1))
        steps.insert(contentsOf: scene, at: place)
    }

    /// In most schedules with a trespasser, it goes on once a space is encrypted, or its rights are taken.
    private mutating func trespassSome(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x7472_6573_7061_7373)
        guard let trespasser = roles.firstIndex(of: .trespasser), random.chance(70) else { return }
        let kind = random.chance(60) ? Step.Kind.encrypt : .rob
        var scene = [Step(kind, 0, trespasser, salt: random.next())]
        let strangers = owners.indices.filter { owners[$0] != owners[0] && $0 != trespasser }
        if kind == .encrypt, let vault = random.pick(strangers) {
            steps.removeAll { $0.kind == .grant && $0.other == vault }
            scene.append(Step(.carry, 0, vault, salt: random.next()))
        }
        for _ in 0...random.index(below: 3) {
            if random.chance(60) { scene.append(Step(.pass, 0, 0, 300, salt: random.next())) }
            scene.append(Step(.attack, trespasser, salt: random.next()))
        }
        insertLate(scene, &random)
    }

    private func isToSendSingly(_ seed: UInt64) -> Bool {
        var random = SeededGenerator(seed: seed ^ 0x7369_6E67_6C79_0000)
        return random.chance(30)
    }

    /// In some schedules a device is backed up, and later continues from the backup; once or twice.
    private mutating func backUpSome(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x6261_636B_7570)
        guard random.chance(35) else { return }
        let actor = random.index(below: owners.count)
        guard roles[actor] == .honest else { return }
        let place = 1 + random.index(below: steps.count)
        steps.insert(Step(.backUp, actor, salt: random.next()), at: place)
        for _ in 0...random.index(below: 2) {
            let later = place + 1 + random.index(below: steps.count - place)
            steps.insert(Step(.putBack, actor, salt: random.next()), at: later)
        }
    }

    /// Adds steps of two kinds to this percentage of all schedules, drawn separately; `share`
    /// percent of them are of the first kind.
    private mutating func insertSome(
        _ seed: UInt64, in percent: UInt64, _ one: Step.Kind, share: UInt64, _ another: Step.Kind
    ) {
        var random = SeededGenerator(seed: seed)
        guard random.chance(percent) else { return }
        for _ in 0...random.index(below: 3) {
            let (actor, other) = (
                random.index(below: owners.count), random.index(below: owners.count)
            )
            let place = 1 + random.index(below: steps.count)
            let kind = random.chance(share) ? one : another
            // Nobody pairs a device with itself.
            guard kind != .pair || actor != other else { continue }
            steps.insert(Step(kind, actor, other, salt: random.next()), at: place)
        }
    }

    /// In some schedules the database of an honest device is damaged, or gone.
    private mutating func spoilSome(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x7370_6F69_6C74)
        guard random.chance(30) else { return }
        for _ in 0...random.index(below: 2) {
            let actor = random.index(below: owners.count)
            let place = 1 + random.index(below: steps.count)
            guard roles[actor] == .honest else { continue }
            steps.insert(Step(.spoil, actor, salt: random.next()), at: place)
        }
    }

    /// In some households a thief has somebody's recovery key, and some people exchange theirs.
    private mutating func exchangeSome(_ seed: UInt64) {
        insertSome(seed ^ 0x6578_6368_616E, in: 25, .steal, share: 55, .exchange)
    }

    /// In some households with several devices, one of them reports another one lost; some are
    /// found again.
    private mutating func loseSome(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x6C6F_7373_6573)
        let pairs = owners.indices.flatMap { one in
            owners.indices.filter { $0 != one && owners[$0] == owners[one] }.map { (one, $0) }
        }
        guard random.chance(40) else { return }
        for _ in 0...random.index(below: 2) {
            guard let (one, other) = random.pick(pairs) else { return }
            let place = 1 + random.index(below: steps.count)
            steps.insert(Step(.lose, one, other, salt: random.next()), at: place)
            guard random.chance(45) else { continue }
            let later = place + 1 + random.index(below: steps.count - place)
            steps.insert(Step(.find, one, other, salt: random.next()), at: later)
        }
    }

    private mutating func addDeeds(
        hasWorkshop: Bool, hasAllJoined: Bool, _ random: inout SeededGenerator
    ) {
        // Most are short, so that there are many; some are longer.
        let short = 4 + random.index(below: hasAllJoined ? 6 : 9)
        let length = random.chance(15) ? 12 + random.index(below: 14) : short
        let isRough = random.chance(70)
        for _ in 0..<length {
            let next = randomStep(isRough: isRough, hasWorkshop: hasWorkshop, &random)
            if [.restore, .rollBack].contains(next.kind) {
                // So that there is a copy to restore.
                let copy = Step(.copy, next.actor, salt: random.next())
                steps.insert(copy, at: 1 + random.index(below: steps.count))
            }
            if [.loseFile, .fray].contains(next.kind) {
                // So that there is a file to lose, or one on its way.
                steps.append(Step(.photo, next.actor, salt: random.next()))
            }
            steps.append(next)
            if random.chance(45) { steps.append(step(.pass, &random)) }
        }
    }

    /// In half of the schedules with encryption, vaults store the space; some of them may read it
    /// later.
    private mutating func carrySome(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x7661_756C_7473)
        guard owners.contains(where: { $0 != owners[0] }), random.chance(50),
            let first = steps.firstIndex(where: { $0.kind == .encrypt })
        else { return }
        for _ in 0...random.index(below: 2) {
            let strangers = owners.indices.filter { owners[$0] != owners[0] }
            guard let other = random.pick(strangers) else { return }
            // Otherwise most would have been members before.
            if random.chance(70) {
                steps.removeAll { $0.kind == .grant && $0.other == other && $0.actor == 0 }
            }
            let place =
                min(first + 1, steps.count) + random.index(below: max(1, steps.count - first))
            steps.insert(Step(.carry, 0, other, salt: random.next()), at: min(place, steps.count))
            guard random.chance(35) else { continue }
            let later = min(place + 1, steps.count)
            steps.insert(
                Step(.grant, 0, other, salt: random.next()),
                at: later + random.index(below: steps.count - later + 1))
        }
    }

    /// In some schedules spaces are encrypted, and get new keys. These steps are drawn separately,
    /// so that a seed's other steps stay the same.
    private mutating func encryptSome(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x6570_6F63_6873)
        guard random.chance(40) else { return }
        for _ in 0...random.index(below: 3) {
            let actor = random.chance(70) ? 0 : random.index(below: owners.count)
            let place = 1 + random.index(below: steps.count)
            steps.insert(Step(.encrypt, actor, salt: random.next()), at: place)
        }
    }

    /// The roles of hostile devices.
    static let hostileRoles: [Role] = [
        .liar, .flooder, .replayer, .withholder, .trespasser, .forker,
    ]

    /// Most clocks are about right, a few are minutes, years or a lifetime off.
    private static func skew(_ random: inout SeededGenerator) -> Int64 {
        let decade: Int64 = 315_360_000_000
        switch random.below(10) {
        case 0: return Int64(random.below(7_200_000)) - 3_600_000
        case 1: return -decade
        case 2: return random.chance(50) ? decade : 7 * decade
        default: return Int64(random.below(4_000)) - 2_000
        }
    }

    private func step(_ kind: Step.Kind, _ random: inout SeededGenerator) -> Step {
        let actor = random.index(below: owners.count)
        let other = (actor + 1 + random.index(below: owners.count - 1)) % owners.count
        let amount: UInt64 =
            switch kind {
            case .pass: [3, 30, 300, 3_000, 40_000][random.index(below: 5)]
            case .slow: 200 + random.below(3_000)
            case .skew: UInt64(bitPattern: Schedule.skew(&random))
            default: 0
            }
        return Step(kind, actor, other, amount, salt: random.next())
    }

    private func randomStep(
        isRough: Bool, hasWorkshop: Bool, _ random: inout SeededGenerator
    ) -> Step {
        let hostile = roles.firstIndex { $0 != .honest }
        if let hostile, random.chance(25) {
            var attack = step(.attack, &random)
            attack.actor = hostile
            return attack
        }
        let people: [(Step.Kind, UInt64)] = [
            (.grant, 7), (.revoke, 4), (.leave, 1), (.rob, 2), (.quarrel, 2),
        ]
        let calm: [(Step.Kind, UInt64)] =
            if hasWorkshop {
                people + [
                    (.edit, 28), (.arrange, 9), (.relate, 10), (.reform, 10), (.empower, 3),
                    (.write, 2), (.photo, 1),
                ]
            } else {
                people + [(.write, 52), (.photo, 8), (.found, 1)]
            }
        let rough: [(Step.Kind, UInt64)] = [
            (.cut, 7), (.silence, 4), (.slow, 2), (.partition, 5), (.join, 5), (.crash, 8),
            (.restart, 3), (.skew, 2), (.redate, 2), (.copy, 1), (.restore, 3), (.rollBack, 4),
            (.dyingDisk, 4), (.failingDisk, 2), (.fullDisk, 2), (.loseFile, 3), (.fray, 3),
        ]
        let choices = isRough ? calm + rough : calm
        var number = random.below(choices.reduce(0) { $0 + $1.1 })
        for (kind, weight) in choices {
            if number < weight { return step(kind, &random) }
            number -= weight
        }
        return step(.pass, &random)
    }
}
