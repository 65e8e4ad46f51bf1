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
        /// What it said it lacks, one list for each space.
        package var lacking: [[BlobID]] = []

        package init() {}

        /// Something is known to be lacking on one side.
        package var isDiffering: Bool {
            changesToSend > 0 || changesToReceive > 0 || toSend.count > 0 || toReceive.count > 0
        }

        package var isEqual: Bool { isCompared && !isDiffering }
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
            for space in state.spaces.keys where isHeld(space, by: device) {
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

    /// Whether this device and another one both may have a space that is here.
    private func isHeld(_ space: SpaceID, by other: DeviceID) -> Bool {
        spaces.mayHold(other, space) && spaces.mayHold(spaces.device, space)
    }

    private func peer(_ state: SessionState) -> Exchange.Peer {
        var peer = Exchange.Peer()
        peer.isCompared = state.hasListed && state.spaces.haveSettled(spaces)
        for shared in state.spaces.values where isHeld(shared.space, by: state.peer.device) {
            let space = shared.space
            guard let mine = spaces[space]?.watermark else { continue }
            let remote = shared.remote ?? Watermark()
            peer.changesToSend += mine.count(beyond: remote)
            peer.changesToReceive += remote.count(beyond: mine)
            peer.toSend += filesToSend(to: state.peer.device, of: space)
            // Whether this device's last word on the files of a space is still true.
            peer.isCompared = peer.isCompared && statements.reports.isCurrent(space)
            if let said = statements.holdings[space]?[state.peer.device]?.said,
                !said.missing.isEmpty
            {
                peer.lacking.append(said.missing)
            }
        }
        return peer
    }

    /// Files of a space that are here and that another device, by its own word, lacks or has not
    /// heard of.
    private func filesToSend(to other: DeviceID, of space: SpaceID) -> Exchange.Files {
        let own = statements.holdings[space]?[spaces.device]?.said
        let known = own.map { $0.held &+ $0.missingCount } ?? 0
        guard let said = statements.holdings[space]?[other]?.said else {
            return Exchange.Files(count: own?.held ?? 0)
        }
        var files = Exchange.Files(count: said.missingCount, bytes: said.missingBytes)
        for need in said.missing.compactMap({ transfers.wanted.need(of: $0) }) {
            files.count -= min(files.count, 1)
            files.bytes -= min(files.bytes, need.size)
        }
        let (heard, isTooMuch) = said.held.addingReportingOverflow(said.missingCount)
        if !isTooMuch, heard < known { files.count += known - heard }
        return files
    }

    /// Whether a peer whose session asked for a sync has every file that it can be given.
    func hasFiles(_ state: SessionState) -> Bool {
        state.spaces.keys.filter { isHeld($0, by: state.peer.device) }.allSatisfy {
            statements.reports.isCurrent($0)
                && filesToSend(to: state.peer.device, of: $0).count == 0
        }
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
