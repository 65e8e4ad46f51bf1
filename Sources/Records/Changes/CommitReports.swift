internal import LocalAPI
internal import Store
internal import SyncCore

/// Describes commits of one space, with the current names of records.
struct CommitReports {
    let reader: RecordReader
    private let title: RecordKey
    private let moved: MovedRecords

    init(_ reader: RecordReader) {
        (self.reader, moved) = (reader, MovedRecords(reader))
        title = reader.schema.titleRecord(in: reader.space)
    }

    private var replica: any Replica { reader.replica }

    /// The changes by these commits together; empty when there is no news for people.
    func changes(of commits: [StoredCommit]) throws -> [ChangeView] {
        var records = ChangeGroups(reader, moved)
        var changes: [ChangeView] = []
        var left = Limits.changesLookedAt
        var more = 0
        let isTitled = commits.contains { stored in
            stored.commit.operations.contains { $0.record == title.record }
        }
        let imported = isTitled ? try nameOfImport : nil
        for stored in commits {
            changes += membershipChanges(stored.commit)
            let author = replica.membership(of: reader.space)?
                .facts.card(of: stored.commit.header.log.device)?.person
            let operations = stored.commit.operations.map {
                reader.schema.current($0)
            }.filter { isNews($0, in: stored.commit, isImported: imported != nil) }
            more += max(0, operations.count - left)
            let looked = operations.prefix(left)
            left -= looked.count
            let makers = try replica.store.records.makers(
                of: looked.map { RecordKey($0) }, in: reader.space)
            for operation in looked {
                let key = RecordKey(operation)
                let isNew = makers[key].map { $0 == stored.place } ?? true
                if key == title {
                    changes += titleChanges(operation, isNew: isNew, imported)
                } else {
                    try records.note(
                        operation, isNew: isNew, by: author,
                        unshown: makers[key] == nil ? unshown(operation, of: stored) : nil)
                }
            }
        }
        changes += try records.views()
        if more > 0 { changes.append(ChangeView(.more, count: more)) }
        return changes
    }

    /// The record that a commit which does not count would have made, from this commit alone.
    private func unshown(_ operation: RecordOperation, of stored: StoredCommit) -> ShownEntry? {
        var state = RecordState()
        let commit = AppliedCommit(
            id: stored.commit.id, header: stored.commit.header, clock: stored.clock, seen: [:])
        state.apply(operation, firstIndex: 0, of: commit)
        return reader.schema.shown(state, in: operation.collection).map {
            ShownEntry(id: operation.record, record: $0, state: state)
        }
    }

    // MARK: The space

    /// The name of a space that was made from an archive; nil for others.
    ///
    /// It has this name only since everything was written; before, it had another one.
    private var nameOfImport: String? {
        get throws {
            guard try RecordService(replica).origin(ofSpace: reader.space)?.author.isEmpty == false
            else { return nil }
            return try reader.entry(title)?.record.line("name")
        }
    }

    /// Whether a person wrote it. The program itself writes the origin of an archive, new ids of photos
    /// and their thumbnails after encryption, or touches.
    private func isNews(
        _ operation: RecordOperation, in commit: UnverifiedCommit, isImported: Bool
    ) -> Bool {
        guard !operation.isTouch else { return false }
        let origin = Schema.origin(of: nil, in: reader.space)
        if RecordKey(operation) == title {
            return !isImported || !commit.operations.contains { RecordKey($0) == origin }
        }
        guard !Schema.isEverywhere(operation.collection) else { return false }
        guard reader.schema.isJournal,
            let collection = reader.schema.collection(operation.collection)
        else { return true }
        return operation.writes.contains { collection.field($0.field)?.type.isBlob != true }
    }

    private func titleChanges(
        _ operation: RecordOperation, isNew: Bool, _ imported: String?
    ) -> [ChangeView] {
        if let existence = operation.writes.last(where: \.isOfExistence) {
            return [ChangeView(existence.isDeletion ? .deletedSpace : .restoredSpace, noun: noun)]
        }
        guard let name = operation.writes.last(where: { $0.field == "name" })?.value.text else {
            guard reader.schema.isJournal, operation.shownFields == ["active"] else {
                return [ChangeView(.changed, noun: noun, fields: operation.shownFields)]
            }
            // Without a value, a trip is open.
            let isOpen = operation.writes.allSatisfy { $0.value.boolean ?? true }
            return [ChangeView(isOpen ? .reopenedSpace : .closedSpace, noun: noun)]
        }
        guard isNew else {
            return [ChangeView(.renamedSpace, noun: noun, names: [ShownText.line(name)])]
        }
        let created = ChangeView(
            .createdSpace, noun: noun, names: [imported ?? ShownText.line(name)])
        let first = replica.membership(of: reader.space)?.epochs.values.min()
        return first.map(isFromStart) == true
            ? [created, ChangeView(.encryptedSpace, noun: noun)] : [created]
    }

    /// Whether a space begins with this epoch; the commit that names the space tells of both.
    private func isFromStart(_ epoch: Epoch) -> Bool { epoch.past == 2 }

    /// The word for the space.
    private var noun: String { reader.schema.isJournal ? "trip" : "space" }

    // MARK: Members

    private func membershipChanges(_ commit: UnverifiedCommit) -> [ChangeView] {
        guard let membership = replica.membership(of: reader.space) else { return [] }
        let author = membership.facts.card(of: commit.header.log.device)?.person
        let isReformed = commit.clear.schema != nil
        var changes = isReformed ? [ChangeView(.changedSchema, noun: noun)] : []
        var told: Set<PersonID> = []
        let isLeaving = isLeaving(commit, membership)
        for (index, fact) in commit.clear.facts.enumerated() {
            let place = FactReference(commit: commit.id, index: UInt32(index))
            switch fact {
            case .grant:
                guard let grant = membership.facts.grant(place) else { continue }
                if grant.card.person == author { changes += device(grant.card, place, membership) }
                guard grant.card.person != author, told.insert(grant.card.person).inserted else {
                    continue
                }
                changes.append(given(to: grant.card.person, grant.flags))
            case .revocation(let revocation):
                guard let card = membership.facts.grant(revocation.grant)?.card,
                    !Leaves(membership).isRepeated(revocation, by: author),
                    !isLeaving || !Leaves(membership).goesOn(after: commit.header)
                else { continue }
                let isOfDevice = !isLeaving && revocation.takesFromDevice
                guard isOfDevice || told.insert(card.person).inserted else { continue }
                changes.append(
                    isOfDevice
                        ? device(.tookFromDevice, card.device)
                        : taken(from: card.person, by: author, leaving: revocation.remaining))
            case .redating(let redating):
                changes.append(
                    ChangeView(.redatedDevice, person: replica.reference(redating.device)))
            case .request(let request):
                changes.append(asked(request, by: author))
            case .personStatement(let statement):
                changes += byKey(statement, at: place, membership)
            case .epoch(let epoch):
                // Keys for further devices are no news.
                guard epoch.addedTo.isEmpty, let made = membership.epochs[commit.id],
                    !isFromStart(made)
                else { continue }
                let isFirst = membership.epochs.values.min() == made
                changes.append(ChangeView(isFirst ? .encryptedSpace : .newKey, noun: noun))
            case .keyExchange where reader.space == replica.local.homeSpace:
                // Once, not in each of the person's spaces.
                changes.append(ChangeView(.exchangedKey))
            case .keyExchange, .fork, .unknown: continue
            }
        }
        return changes
    }

    private func given(to receiver: PersonID, _ flags: Permissions) -> ChangeView {
        person(
            flags.onlyCarries ? .sharedUnread : .shared, receiver, role: LocalAPI.Role(flags))
    }

    /// Rights that a person's key gave or revoked, no matter whose commit carries the statement.
    private func byKey(
        _ statement: UnverifiedPersonStatement, at place: FactReference, _ membership: Membership
    ) -> [ChangeView] {
        switch statement.body {
        case .grant:
            guard let card = membership.facts.grant(place)?.card else { return [] }
            return [ChangeView(.recoveredDevice, person: replica.reference(card.device))]
        case .revocation(let revocation):
            guard let card = membership.facts.grant(revocation.grant)?.card else { return [] }
            return [ChangeView(.removedDevice, person: replica.reference(card.device))]
        }
    }

    /// A new device of a person is told once, in their own space, not in each of their spaces. Where a space was taken
    /// from a device, giving it back is told, too.
    private func device(
        _ card: Card, _ grant: FactReference, _ membership: Membership
    ) -> [ChangeView] {
        if Leaves(membership).isReturn(grant) { return [device(.returnedToDevice, card.device)] }
        guard reader.space == replica.local.homeSpace else { return [] }
        return [ChangeView(.addedDevice, person: replica.reference(card.device))]
    }

    /// A person who leaves also revokes the device on which they do so.
    private func isLeaving(_ commit: UnverifiedCommit, _ membership: Membership) -> Bool {
        commit.clear.facts.contains { fact in
            guard case .revocation(let revocation) = fact else { return false }
            return membership.facts.grant(revocation.grant)?.card.device == commit.header.log.device
        }
    }

    /// That the space was taken from a device, or given back to it.
    private func device(_ kind: ChangeView.Kind, _ device: DeviceID) -> ChangeView {
        let isOwn = reader.space == replica.local.homeSpace
        return ChangeView(kind, noun: isOwn ? "lists" : noun, person: replica.reference(device))
    }

    /// That the space was taken from this device, by a commit that is not here.
    func change(by notice: RevocationNotice) -> ChangeView {
        notice.isWholePerson
            ? taken(from: replica.local.person, by: notice.person, leaving: [])
            : device(.tookFromDevice, replica.local.device)
    }

    private func taken(
        from person: PersonID, by author: PersonID?, leaving flags: Permissions
    ) -> ChangeView {
        if let role = LocalAPI.Role(flags) { return self.person(.changedRole, person, role: role) }
        return person == author ? ChangeView(.left, noun: noun) : self.person(.removed, person)
    }

    private func asked(_ request: RightsRequest, by author: PersonID?) -> ChangeView {
        guard request.person == author else { return person(.refusedRequest, request.person) }
        return ChangeView(
            request.flags.isEmpty ? .withdrewRequest : .requested, noun: noun,
            fields: [Right](request.flags).map(\.rawValue))
    }

    private func person(
        _ kind: ChangeView.Kind, _ person: PersonID, role: LocalAPI.Role? = nil
    ) -> ChangeView {
        ChangeView(
            kind, noun: noun, person: replica.reference(person),
            isMe: person == replica.local.person,
            role: role)
    }
}

extension RecordKey {
    fileprivate init(_ operation: RecordOperation) {
        self.init(collection: operation.collection, record: operation.record)
    }
}

extension RecordOperation {
    /// The fields that it writes to, by their names for people.
    var shownFields: [String] {
        var fields: [String] = []
        for write in writes where write.field != Write.existence {
            let name = ShownText.line(write.field).replacing("_", with: " ")
            if !fields.contains(name) { fields.append(name) }
        }
        return fields
    }
}

extension Limits {
    /// Records that one line lists by name and number; more are only counted.
    static let changesLookedAt = 500
}

extension Revocation {
    /// Whether it revokes one device completely, and nothing from others of its person.
    fileprivate var takesFromDevice: Bool { scope == .device && remaining.isEmpty }
}
