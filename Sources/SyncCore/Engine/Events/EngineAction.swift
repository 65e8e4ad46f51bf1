/// What the engine asks for, in order: a shell carries each out and answers with an event.
package enum EngineAction: Sendable {
    case send(SessionID, PeerMessage)
    /// Close, with a reason the other side can show.
    case close(SessionID, ByeReason)
    /// Check signatures off the loop, then ``apply`` the commits that hold, in the order asked. `pinned`
    /// are those that lead to a pinned branch.
    case verify(SessionID, SpaceID, [UnverifiedCommit], pinned: Set<CommitID>)
    /// Follows ``verify`` without another event: store durably, then answer; acknowledging comes only after.
    case apply(SpaceID, [VerifiedCommit], BatchVerdict, from: SessionID)
    /// Read commits beyond a watermark in storing order.
    case load(SessionID, SpaceID, beyond: Watermark, after: Int64)
    /// Check a proof's signatures off the loop, store it durably, answer with
    /// ``EngineEvent/forkApplied`` or ``EngineEvent/forkRefused``.
    case verifyFork(UnverifiedFork, SpaceID, from: SessionID)
    /// Read what a peer lacks of forked logs, up to one batch.
    case loadForks(SessionID, SpaceID, ForkQuestion)
    /// Sign an ack of this watermark, store it, answer.
    case acknowledge(SpaceID, Watermark)
    /// Check an ack's signature, store it when it is the device's latest, answer.
    case verifyAck(UnverifiedAck, from: SessionID)
    /// A peer says that it knows this device's own log up to here, which is more than the engine was told of. Unless
    /// the store has it by now, it is older than it was before, and the device must go on in a new incarnation.
    case ownLogAhead(SpaceID, LogID, UInt64)
    /// Sign which named blobs of the space are here, store it, answer.
    case reportHoldings(SpaceID)
    /// Check the signature of holdings, store them when they are the device's latest, answer.
    case verifyHoldings(UnverifiedHoldings, from: SessionID)
    /// Everything both may read is the same on this device and on that one.
    case inSync(DeviceID)
    /// A space granted to this person, not accepted yet.
    case offer(SpaceID, Offer, from: DeviceID)
    /// The receiver of a grant does not want it.
    case declined(SpaceID, grants: GrantCount = .unsaid, by: DeviceID)

    case sendBulk(BulkID, PeerMessage)
    case closeBulk(BulkID)
    /// Answer a Want on a bulk connection with Have and chunks, if the reader may have them.
    case serve(BulkID, Want)
    case prepareBlob(BlobNeed, ChunkList)
    case writeChunk(BlobID, index: Int, bytes: [UInt8], from: BulkID)
    case storeSmallBlob(BlobNeed, ChunkList, bytes: [UInt8])
    case finishBlob(BlobNeed, ChunkList)
    /// Tried three times in vain, or there is no room for it: it is tried again later.
    case blobStalled(BlobNeed)

    /// Nothing is left to exchange, but for the files that ``Exchange`` says others lack.
    case syncFinished(SyncRequestID)
    /// Connect with these: they have files that nobody connected has.
    case seek(Set<DeviceID>)
    /// Whom this device needs a session with, from now on.
    case need(NeededSessions)
    /// Of those, connect with these first: there is something new for them.
    case hurry(Set<DeviceID>)
}
