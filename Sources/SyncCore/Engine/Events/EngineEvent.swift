/// What happens to the engine.
package enum EngineEvent: Sendable {
    /// A space this device holds, at start or after it was made.
    case spaceOpened(SpaceView)
    /// What an offer of the space says; comes again when it changes.
    case spaceDescribed(SpaceID, OfferedSpace)
    /// A space that is here was left and is given again: nothing of it is told or taken until the person
    /// answers and it is opened.
    case spaceClosed(SpaceID)
    /// The person wants this granted space: from now on its commits are taken.
    case spaceAccepted(SpaceID)
    /// Offers with no more grants than that are declined.
    case spaceDeclined(SpaceID, grants: GrantCount = .unsaid)
    /// Those who took a space from this device proved that it may not have it any more, or that holds no longer:
    /// nothing is waited for there.
    case spaceTaken(SpaceID, isTaken: Bool)
    /// An ack of any device, own ones included, read from the store at start.
    case ackLoaded(UnverifiedAck)
    /// The same for holdings.
    case holdingsLoaded(UnverifiedHoldings)

    case sessionOpened(SessionID, PeerInfo)
    case sessionClosed(SessionID)
    case received(SessionID, PeerMessage)

    /// Answers ``EngineAction/verify`` once the commits that hold are stored, and tells of commits this
    /// device wrote (`from` nil).
    case applied(ApplyReport, from: SessionID?)
    /// Answers ``EngineAction/load``.
    case loaded(SessionID, SpaceID, LoadedCommits)
    /// Answers ``EngineAction/verifyFork`` once the proof is durable; the report may hold nothing new.
    case forkApplied(ApplyReport, from: SessionID)
    /// The proof was not taken.
    case forkRefused(SpaceID, ForkRefusal, from: SessionID)
    /// Answers ``EngineAction/loadForks``.
    case forksLoaded(SessionID, SpaceID, LoadedForks)
    /// Answers ``EngineAction/verifyAck`` once the ack is verified and kept; it is written down seconds later.
    case ackStored(UnverifiedAck, from: SessionID)
    /// The ack that followed from a difference is not what its device signed.
    case ackRefused(SpaceID, DeviceID, from: SessionID)
    /// Answers ``EngineAction/acknowledge``.
    case ackSigned(UnverifiedAck)

    /// Answers ``EngineAction/verifyHoldings`` once they are verified and stored.
    case holdingsStored(UnverifiedHoldings, from: SessionID)
    /// Answers ``EngineAction/reportHoldings``.
    case holdingsSigned(UnverifiedHoldings)
    /// An ack or holdings of this device could not be stored: nobody was told.
    case statementNotStored(SpaceID)

    case blobsNeeded([BlobNeed])
    /// Of this space no blob is to be fetched any more but those that are needed after this; what is
    /// on its way already still comes.
    case blobsUnneeded(SpaceID)
    /// Of the blobs that did not fit these are not wanted any more, in any space.
    case blobsForgone(Set<BlobID>)
    /// Files of these spaces that were here are not any more, and are not wanted.
    case filesFreed(in: Set<SpaceID>)
    case bulkOpened(BulkID, DeviceID)
    case bulkClosed(BulkID)
    case bulkReceived(BulkID, PeerMessage)
    /// Bytes came that are not a whole frame yet: a large one takes its time on a slow network.
    case bulkProgressed(BulkID)
    case chunkReceived(BulkID, request: UInt32, index: UInt32, bytes: [UInt8])
    /// Answers ``EngineAction/prepareBlob``: the chunks that are already here and verified.
    case blobPrepared(BlobID, present: Set<Int>)
    /// Answers ``EngineAction/writeChunk``; false when the bytes were wrong.
    case chunkWritten(BlobID, index: Int, valid: Bool, from: BulkID)
    /// Answers ``EngineAction/finishBlob`` and ``EngineAction/storeSmallBlob``.
    /// The spaces are all those that hold the blob now.
    case blobFinished(BlobID, in: Set<SpaceID>)
    /// This device could not keep the blob this time.
    case blobFailed(BlobID)
    /// The disk has no room for a blob of so many bytes.
    case blobDidNotFit(BlobID, bytes: UInt64)
    /// The disk has room again.
    case roomReturned

    case syncRequested(SyncRequestID)
    /// Somebody looks at what is connected, or waits for it: connections that were quiet are asked
    /// at once whether they still stand.
    case connectionsLookedAt
    /// This device now belongs to another person (`join --mine`).
    case personChanged(PersonID)
    /// The network came back or changed: sessions may be dead, peers may have news.
    case networkChanged
    case tick
}

/// Why a proof of a fork was not taken.
package enum ForkRefusal: Sendable {
    case invalid
    /// Its device may come with commits that are on their way.
    case unknownDevice
    /// This device failed to: its disk is full, for one.
    case notStored
}
