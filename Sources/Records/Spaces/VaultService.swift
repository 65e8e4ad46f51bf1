package import LocalAPI
internal import Store
internal import SyncCore

/// Devices that carry encrypted spaces without reading them.
package struct VaultService: Sendable {
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    private var directory: SpaceDirectory { SpaceDirectory(replica) }
    private var writer: SpaceWriter { SpaceWriter(replica) }
    private var members: MemberService { MemberService(replica) }

    package func list() throws -> VaultList {
        let short = try directory.shortIDs()
        let carried = try directory.list().filter { isCarried($0) }.map {
            try SpaceViews(replica).view($0, short)
        }
        return VaultList(
            vaults: try directory.readable().flatMap { try vaults(of: $0) }, carried: carried)
    }

    /// Also where this device could read before.
    private func isCarried(_ space: KnownSpace) -> Bool {
        space.isSealed || (space.isReadable && replica.permissions(in: space.space).onlyCarries)
    }

    private func vaults(of space: ReadableSpace) throws -> [VaultView] {
        guard space.known != nil, let membership = replica.membership(of: space.id),
            !membership.vaults.isEmpty
        else { return [] }
        let facts = try replica.sync.facts(of: space.id)
        let balance = SpaceBalance(facts)
        return membership.vaults.sorted().map { device in
            let owed = balance.owed(to: device)
            return VaultView(
                device: replica.reference(device),
                person: replica.reference(membership.facts.card(of: device)?.person ?? .zero),
                trip: space.reference, accepted: facts.sync.acks[device] != nil,
                waiting: owed.toSend == .nothing ? owed.fromOthers : owed.toSend)
        }
    }

    /// Gives a device one space to carry, or all that this person can give.
    package func add(_ draft: VaultDraft) async throws -> VaultChange {
        let device = try knownDevice(draft.device)
        let person = device.card.person
        guard person != replica.local.person else {
            throw APIError(
                code: .conflict,
                sentence: """
                    \(Sentence.plain(device.name)) is your own device: it reads all that you read, \
                    and so is no vault.
                    """,
                hint: """
                    To use it as a vault, set it up for a person of its own ('peersync init' \
                    there) and pair without --mine.
                    """)
        }
        var (given, left): ([ReadableSpace], [VaultRefusal]) = ([], [])
        for space in try spaces(draft) {
            let isNamed = draft.trip != nil
            if let obstacle = obstacle(to: device, carrying: space) {
                if isNamed { throw obstacle.error }
                left.append(VaultRefusal(trip: space.reference, sentence: obstacle.words))
                continue
            }
            do {
                try await replica.sharing.grant(
                    space.id, to: [device.card], flags: .vault, authority: false, isFromNow: false)
            } catch StoreError.permissionRefused {
                throw SpaceErrors.roleLost(space: space.name)
            } catch StoreError.epochMissing {
                throw KeyErrors(replica).keyMissing(in: space)
            }
            try await members.writeNames(of: person, [device.card.device], in: space)
            given.append(space)
        }
        guard !given.isEmpty || !left.isEmpty else {
            throw nothingForVault(device.name)
        }
        return VaultChange(
            device: replica.reference(device.card.device), person: replica.reference(person),
            trips: given.map(\.reference), left: left,
            partly: try given.filter { try replica.store.sealed.hasPlainChanges(in: $0.id) }
                .map(\.reference))
    }

    package func remove(_ draft: VaultDraft) async throws -> VaultChange {
        let device = try knownDevice(draft.device)
        let id = device.card.device
        var taken: [ReadableSpace] = []
        for space in try spaces(draft) {
            let membership = replica.membership(of: space.id) ?? Membership()
            guard membership.vaults.contains(id) else {
                if draft.trip != nil {
                    throw APIError(
                        code: .conflict,
                        sentence: """
                            \(Sentence.plain(device.name)) does not carry \
                            \(Sentence.name(space.name)).
                            """,
                        hint: "Which devices carry what: peersync vault list")
                }
                continue
            }
            let grants = membership.grants(of: [id])
            try members.requireTaking(
                grants,
                from: KnownPeople.Person(
                    id: device.card.person, name: device.personName, cards: [device.card]),
                in: space, membership)
            try await members.revoke(RightsTaking(grants: grants), in: space)
            taken.append(space)
        }
        guard !taken.isEmpty else { throw nothingForVault(device.name) }
        return VaultChange(
            device: replica.reference(id), person: replica.reference(device.card.person),
            trips: taken.map(\.reference), left: [])
    }

    // MARK: Subjects

    private func spaces(_ draft: VaultDraft) throws -> [ReadableSpace] {
        if let trip = draft.trip {
            return [try directory.readable(trip, among: .shared, as: .trip)]
        }
        return try directory.readable().filter { $0.known != nil }
    }

    // Not inlined, for the same reason as Lookup.find.
    @inline(never)
    private func knownDevice(_ typed: String) throws -> KnownDevice {
        try Lookup.device(typed, among: try replica.knownDevices(), of: replica, by: \.card.device)
    }

    /// Why a device cannot carry a space, in a few words and as an error; nil when it can.
    private func obstacle(
        to device: KnownDevice, carrying space: ReadableSpace
    ) -> (words: String, error: APIError)? {
        let membership = replica.membership(of: space.id) ?? Membership()
        let has = membership.permissions(of: device.card.device)
        guard membership.isEncrypted else {
            return (
                tr("it is not encrypted."),
                SpaceErrors.notEncrypted(space: space.name, isTrip: space.isTrip)
            )
        }
        if has.contains(.read) {
            return (
                tr("that device can read it."),
                APIError(
                    code: .conflict,
                    sentence: """
                        \(Sentence.plain(device.name)) can read \(Sentence.name(space.name)): that \
                        is no vault.
                        """,
                    hint: """
                        Take that from it first: peersync \(SpaceNoun(isTrip: space.isTrip)) \
                        revoke \(Sentence.quoted(space.name)) \(Sentence.quoted(device.name))
                        """)
            )
        }
        if has.contains(.vault) {
            return (
                tr("it is carried there already."),
                APIError(
                    code: .conflict,
                    sentence: """
                        \(Sentence.plain(device.name)) carries \(Sentence.name(space.name)) already.
                        """,
                    hint: "See what it carries: peersync vault list")
            )
        }
        do throws(APIError) {
            try writer.require(.admin, in: space, .grant)
        } catch {
            return (tr("only its admins give it to a vault."), error)
        }
        return nil
    }
}

/// Nothing was found that a vault could carry, or carries.
private func nothingForVault(_ device: String) -> APIError {
    APIError(
        code: .conflict,
        sentence: "There is nothing to change on \(Sentence.plain(device)).",
        hint: """
            Only what is encrypted is carried: peersync trip encrypt TRIP, or: peersync space \
            encrypt SPACE; then vault add.
            """)
}
