package import LocalAPI
internal import Store
internal import SyncCore

extension SyncReader {
    /// Data of each space that would be lost with this device, as far as the others have said what they
    /// hold. Includes the person's own space if there is another device for it. Excludes revoked spaces,
    /// which cannot be shared from here.
    package func onlyHere() throws -> [SyncReport.OnlyHere] {
        try SpaceDirectory(replica).readable().compactMap { space in
            guard replica.permissions(in: space.id).contains(.read) else { return nil }
            let state = try state(of: space.id)
            guard !state.others.isEmpty || space.known != nil else { return nil }
            var elsewhere = Watermark()
            for device in state.others {
                if let ack = state.acks[device] { elsewhere.merge(ack) }
            }
            let files = try filesOnlyHere(in: space.id, state)
            let waiting = WaitingCount(
                changes: Int(clamping: replica.watermark(of: space.id).count(beyond: elsewhere)),
                files: files.count, bytes: Int64(clamping: files.reduce(0) { $0 + $1.size }))
            let unfinished = try store.unfinished.all(in: space.id).count
            guard waiting != .nothing || unfinished > 0 else { return nil }
            var here = SyncReport.OnlyHere(
                space: space.reference, waiting: waiting,
                shared: !(state.others.isEmpty && state.invited.isEmpty))
            if unfinished > 0 { here.unfinished = unfinished }
            return here
        }
    }

    private func filesOnlyHere(in space: SpaceID, _ state: SpaceSyncState) throws -> [NamedBlob] {
        // The quick check: nearly always one device has everything.
        guard !state.others.contains(where: { state.hasAllFiles($0) }),
            try store.files.counts(of: space).named > 0
        else { return [] }
        var elsewhere: Set<BlobID> = []
        for device in state.others { elsewhere.formUnion(try files(of: device, in: space, state)) }
        let missing = Set(try store.files.missing(of: space, withFreed: true).map(\.blob))
        return try store.files.named(of: space).filter {
            !missing.contains($0.blob) && !elsewhere.contains($0.blob)
        }
    }

    /// By device, those of some files that it has by its last holdings, although these say nothing of files of which
    /// it heard later.
    func heldBefore(
        _ files: [BlobID], in space: SpaceID, _ state: SpaceSyncState
    ) throws -> [DeviceID: Set<BlobID>] {
        var found: [DeviceID: Set<BlobID>] = [:]
        for device in state.others {
            let unsaid = files.filter { state.word(of: device, on: $0) == .nothing }
            guard !unsaid.isEmpty else { continue }
            found[device] = try self.files(of: device, in: space, state).intersection(unsaid)
        }
        return found
    }

    /// The files of a device, by its last holdings: all that it had heard of by then and did not list as
    /// missing.
    private func files(
        of device: DeviceID, in space: SpaceID, _ state: SpaceSyncState
    ) throws -> Set<BlobID> {
        guard let said = state.holdings[device], let ack = state.acks[device],
            // The list of missing files is cut off when it is very long.
            said.missingCount <= UInt64(said.missing.count)
        else { return [] }
        let heard = try store.files.blobs(of: space, namedUpTo: ack)
        // If it was sent before the device had heard of all of them, it says nothing about later ones.
        guard said.held >= UInt64(heard.count - min(said.missing.count, heard.count)) else {
            return []
        }
        return heard.subtracting(said.missing)
    }
}
