/// What this device and those connected to it still lack of each other, by what each said last.
package struct Exchange: Hashable, Sendable {
    /// Files, and their bytes as far as they are known.
    package struct Files: Hashable, Sendable {
        package var count: UInt64 = 0
        package var bytes: UInt64 = 0

        package init(count: UInt64 = 0, bytes: UInt64 = 0) {
            (self.count, self.bytes) = (count, bytes)
        }

        package static func += (one: inout Files, other: Files) {
            one.count += other.count
            one.bytes += other.bytes
        }
    }

    /// Between this device and one that a session is open with.
    package struct Peer: Hashable, Sendable {
        /// Both have said what they hold; while false, the numbers may be too small.
        package var isCompared = false
        package var changesToSend: UInt64 = 0
        package var changesToReceive: UInt64 = 0
        /// What is here and lacks there.
        package var toSend = Files()
        /// What is there and lacks here; several devices may have the same file.
        package var toReceive = Files()
        /// What ``toSend`` counts, by space.
        package var lacking: [SpaceID: Lacking] = [:]

        package init() {}

        /// Something is known to be lacking on one side.
        package var isDiffering: Bool {
            changesToSend > 0 || changesToReceive > 0 || toSend.count > 0 || toReceive.count > 0
        }

        package var isEqual: Bool { isCompared && !isDiffering }
    }

    /// The files of a space that a peer lacks and that are here.
    package struct Lacking: Hashable, Sendable {
        /// Those that it listed.
        package var listed: Set<BlobID>
        /// How many more there are.
        package var unlisted: UInt64
        /// Whether the peer is a vault, which gets encrypted files alone.
        package let isVault: Bool
        /// Which of this device's own words on the files of the space was its last one, by its counter.
        package let ownWord: UInt64

        package init(listed: Set<BlobID>, unlisted: UInt64, isVault: Bool, ownWord: UInt64) {
            (self.listed, self.unlisted) = (listed, unlisted)
            (self.isVault, self.ownWord) = (isVault, ownWord)
        }
    }

    package var peers: [DeviceID: Peer] = [:]
    /// Files that lack here and that a connected device may have.
    package var coming = Files()
    /// Files that lack here and that no connected device has.
    package var elsewhere = Files()
    /// Files that failed three times and wait for the next connection.
    package var failed = Files()
    /// Files for which the disk has no room.
    package var unfit = Files()

    package init() {}

    /// Leaves out the files that a peer lacks and that are not here, or nobody waits for. `unneeded` finds those that
    /// are listed, and counts the others.
    package mutating func leaveOut(
        unneeded: (SpaceID, Lacking) throws -> (listed: [NamedBlob], unlisted: Int)
    ) rethrows {
        for (device, peer) in peers {
            for (space, lacking) in peer.lacking {
                let (listed, unlisted) = try unneeded(space, lacking)
                peers[device]?.leaveOut(listed, UInt64(unlisted), of: space)
            }
        }
    }
}

extension Exchange.Peer {
    fileprivate mutating func leaveOut(
        _ listed: [NamedBlob], _ unlisted: UInt64, of space: SpaceID
    ) {
        guard var lacking = lacking[space] else { return }
        for file in listed where lacking.listed.remove(file.blob) != nil {
            toSend.count -= min(toSend.count, 1)
            toSend.bytes -= min(toSend.bytes, file.size)
        }
        let others = min(unlisted, lacking.unlisted)
        lacking.unlisted -= others
        toSend.count -= min(toSend.count, others)
        if toSend.count == 0 { toSend.bytes = 0 }
        self.lacking[space] = lacking
    }
}

extension Engine {
    package var exchange: Exchange { own.exchange(with: sessions) }

    /// Whether an open request on a connection for files asks for a thumbnail.
    package func isThumbnail(_ request: UInt32, on bulk: BulkID) -> Bool {
        let asked = own.transfers.bulks[bulk]?.requests[request]
        return asked.flatMap { own.transfers.wanted.need(of: $0.blob) }?.kind == .thumbnail
    }
}

extension OwnState {
    fileprivate func exchange(with sessions: Sessions) -> Exchange {
        var exchange = Exchange()
        var words: [Word] = []
        for state in sessions.all {
            let device = state.peer.device
            exchange.peers[device] = peer(state)
            for space in state.spaces.keys where spaces.isHeld(space, with: device) {
                words.append(Word(device, space, statements.holdings[space]?[device]?.said))
            }
        }
        for fetch in transfers.wanted.fetches.values {
            let files = Exchange.Files(count: 1, bytes: fetch.bytesLeft)
            if transfers.wanted.failed.contains(fetch.need.blob) {
                exchange.failed += files
            } else if note(files, of: fetch.need.blob, by: words, in: &exchange) {
                exchange.coming += files
            } else {
                exchange.elsewhere += files
            }
        }
        for need in transfers.wanted.unfit.values {
            exchange.unfit += Exchange.Files(count: 1, bytes: need.size)
        }
        return exchange
    }

    /// What one device says of the files of one space.
    private struct Word {
        let device: DeviceID
        let space: SpaceID
        let missing: Set<BlobID>

        init(_ device: DeviceID, _ space: SpaceID, _ said: Holdings?) {
            (self.device, self.space) = (device, space)
            missing = Set(said?.missing ?? [])
        }
    }

    /// Notes a file for each device that may have it; false when none does.
    private func note(
        _ files: Exchange.Files, of blob: BlobID, by words: [Word], in exchange: inout Exchange
    ) -> Bool {
        let spaces = transfers.wanted.spaces(naming: blob)
        var holders: Set<DeviceID> = []
        for word in words where spaces.contains(word.space) && !word.missing.contains(blob) {
            guard holders.insert(word.device).inserted else { continue }
            exchange.peers[word.device]?.toReceive += files
        }
        return !holders.isEmpty
    }

    private func peer(_ state: SessionState) -> Exchange.Peer {
        var peer = Exchange.Peer()
        peer.isCompared = state.hasListed && state.spaces.haveSettled(spaces)
        for shared in state.spaces.values where spaces.isHeld(shared.space, with: state.peer.device)
        {
            let space = shared.space
            guard let mine = spaces[space]?.watermark else { continue }
            let remote = shared.remote ?? Watermark()
            peer.changesToSend += mine.count(beyond: remote)
            peer.changesToReceive += remote.count(beyond: mine)
            let (files, lacking) = filesToSend(to: state.peer.device, of: space)
            peer.toSend += files
            // Whether this device's last word on the files of a space is still true.
            peer.isCompared = peer.isCompared && statements.reports.isCurrent(space)
            if files.count > 0 { peer.lacking[space] = lacking }
        }
        return peer
    }

    /// Files of a space that are here and that another device, by its own word, lacks or has not
    /// heard of.
    private func filesToSend(
        to other: DeviceID, of space: SpaceID
    ) -> (Exchange.Files, Exchange.Lacking) {
        let own = statements.holdings[space]?[spaces.device]?.said
        let said = statements.holdings[space]?[other]?.said
        var files = Exchange.Files(count: own?.held ?? 0)
        var listed: Set<BlobID> = []
        if let said {
            // Beside a vault files that are not encrypted are counted and not listed: the vault has none of them.
            let isWhole = said.missing.count < Limits.holdingsMissing
            let count =
                isWhole && !spaces.mayRead(spaces.device, space)
                ? UInt64(said.missing.count) : said.missingCount
            files = Exchange.Files(
                count: count - min(count, UInt64(said.unwanted.count)), bytes: said.missingBytes)
            for blob in said.missing where !said.unwanted.contains(blob) {
                guard let need = transfers.wanted.need(of: blob) else {
                    listed.insert(blob)
                    continue
                }
                files.count -= min(files.count, 1)
                files.bytes -= min(files.bytes, need.size)
            }
            let (heard, isTooMuch) = said.held.addingReportingOverflow(said.missingCount)
            let known = own.map { $0.held &+ $0.missingCount } ?? 0
            if !isTooMuch, heard < known { files.count += known - heard }
        }
        let unlisted = files.count - min(files.count, UInt64(listed.count))
        return (
            files,
            Exchange.Lacking(
                listed: listed, unlisted: unlisted, isVault: !spaces.mayRead(other, space),
                ownWord: own?.counter ?? 0)
        )
    }

    /// Whether this device's last word on the files that it shares with a peer is still true.
    func hasReported(to state: SessionState) -> Bool {
        state.spaces.keys.filter { spaces.isHeld($0, with: state.peer.device) }
            .allSatisfy(statements.reports.isCurrent)
    }
}

extension BlobFetch {
    /// Bytes that have still to come.
    var bytesLeft: UInt64 {
        switch stage {
        case .waiting, .listing, .preparing: need.size
        case .fetching(let list, _, let missing):
            min(list.length, UInt64(missing.count) * UInt64(Limits.chunkBytes))
        case .finishing: 0
        }
    }
}
