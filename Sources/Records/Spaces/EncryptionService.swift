package import LocalAPI
internal import Store
internal import SyncCore

/// Encrypted spaces: their readers and their keys.
package struct EncryptionService: Sendable {
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    private var directory: SpaceDirectory { SpaceDirectory(replica) }
    private var writer: SpaceWriter { SpaceWriter(replica) }

    /// Encrypts a space from now on, and its existing files; reports what was readable, and where.
    /// Continues with the remaining files of an encrypted space.
    package func encrypt(_ typed: String) async throws -> EncryptReport {
        let space = try directory.readable(typed, among: .shared, as: .trip)
        let membership = replica.membership(of: space.id) ?? Membership()
        let isNew = !membership.isEncrypted
        let changes = isNew ? try replica.store.log.changeCount(in: space.id) : 0
        if isNew {
            try await makeEpoch(in: space)
        } else {
            try writer.require(.write, in: space, .changeRecords)
        }
        let files = try await encryptFiles(of: space)
        guard isNew || files.total > 0 else {
            throw SpaceErrors.alreadyEncrypted(space: space.name, isTrip: space.isTrip)
        }
        return EncryptReport(
            trip: space.reference, isNew: isNew,
            readable: Set(membership.cards.map(\.device)).sorted().map { replica.reference($0) },
            changes: changes, encrypted: files.encrypted,
            missing: LeftFiles(files.missing), outranked: LeftFiles(files.outranked))
    }

    private func encryptFiles(of space: ReadableSpace) async throws -> FileEncryption.Outcome {
        var outcome = FileEncryption.Outcome()
        do {
            var files = try FileEncryption(replica, space)
            defer { outcome = files.outcome }
            try await files.run()
        } catch let error as CancellationError {
            throw error
        } catch StoreError.epochMissing {
            throw filesNotEncrypted(
                outcome.encrypted, space: space.name, isTrip: space.isTrip,
                because: KeyErrors(replica).keyMissing(in: space))
        } catch {
            throw filesNotEncrypted(
                outcome.encrypted, space: space.name, isTrip: space.isTrip,
                because: replica.sentence(for: error))
        }
        return outcome
    }

    package func rotateKey(_ typed: String) async throws -> TripKeyView {
        let space = try encrypted(typed)
        try await makeEpoch(in: space)
        let membership = replica.membership(of: space.id) ?? Membership()
        return TripKeyView(
            trip: space.reference, keys: membership.epochs.count,
            devices: membership.readers.sorted().map { replica.reference($0) })
    }

    /// The keys that are here, the latest last.
    package func exportKey(_ typed: String) throws -> TripKeyExport {
        let space = try encrypted(typed)
        let epochs = replica.membership(of: space.id)?.epochs ?? [:]
        let found = replica.sharing.epochIdentities(of: space.id).compactMap { entry in
            epochs[entry.epoch].map { (epoch: $0, identity: entry.identity) }
        }.sorted { $0.epoch < $1.epoch }
        guard !found.isEmpty else {
            throw APIError(
                code: .conflict,
                sentence: "This device has no key of \(Sentence.name(space.name)).",
                hint: "It gets one when it next connects with a device of a member: peersync sync")
        }
        let title = identityFileHeading(SpaceNoun(isTrip: space.isTrip))
        var lines = (title + [""]).map { "# \($0)" }
        for entry in found {
            lines += [
                "# key \(entry.epoch.id)", "# public key: \(entry.epoch.recipient)",
                entry.identity,
            ]
        }
        return TripKeyExport(
            trip: space.reference, keys: found.count, keysTotal: epochs.count,
            identities: lines.joined(separator: "\n") + "\n")
    }

    private func encrypted(_ typed: String) throws -> ReadableSpace {
        let space = try directory.readable(typed, among: .shared, as: .trip)
        guard replica.membership(of: space.id)?.isEncrypted == true else {
            throw SpaceErrors.notEncrypted(space: space.name, isTrip: space.isTrip)
        }
        return space
    }

    private func makeEpoch(in space: ReadableSpace) async throws {
        try writer.require(.admin, in: space, .encrypt)
        do {
            try await replica.sharing.makeEpoch(in: space.id)
        } catch StoreError.permissionRefused {
            throw SpaceErrors.roleLost(space: space.name)
        }
    }
}

/// `reason` ended it after so many of its files.
private func filesNotEncrypted(
    _ count: Int, space: String, isTrip: Bool = true, because reason: APIError
) -> APIError {
    let what = SpaceNoun(isTrip: isTrip)
    let done = count > 0 ? tr(" after \(Sentence.count(count, "file", "files"))") : ""
    return APIError(
        code: reason.code,
        sentence: """
            \(Sentence.name(space)) is encrypted, but encrypting the files from before ended\(done). \
            \(reason.message)
            """,
        hint: Message(
            verbatim: [
                reason.hint,
                tr("Then go on: peersync \(what) encrypt \(Sentence.quoted(space))"),
            ]
            .compactMap(\.self).joined(separator: " ")))
}

/// The first lines of a file with keys.
private func identityFileHeading(_ noun: SpaceNoun) -> [String] {
    noun == .trip
        ? [
            tr("Keys of a trip of peersync, as age identities."),
            tr("Open a file of the trip: age -d -i THIS-FILE FILE"),
        ]
        : [
            tr("Keys of a space of peersync, as age identities."),
            tr("Open a file of the space: age -d -i THIS-FILE FILE"),
        ]
}
