/// Every limit of peersync, with its unit and its reason. Checked before anything is allocated.
package enum Limits {
    // MARK: Commits

    /// One commit, header and body; a larger one is refused when it is written.
    package static let commitBytes = 1 << 20
    /// Author logs of one device in one space: each restore of a backup starts one.
    package static let logsPerDevice = 64
    /// Links of a card's endorsement chain: devices of one person, each endorsed by the one before.
    package static let cardLinks = 16
    /// One serialized card with its chain.
    package static let cardBytes = 8 * 1024

    // MARK: Frames and sessions

    /// One frame's payload: a chunk of 1 MiB and its message around it.
    package static let frameBytes = (1 << 20) + 64 * 1024
    /// What one socket may send before it has authenticated.
    package static let unauthenticatedBytes = 16 * 1024
    /// Sockets that have not authenticated yet, all addresses together.
    package static let unauthenticatedSockets = 32
    /// Sockets that have not authenticated yet, from one address.
    package static let unauthenticatedSocketsPerAddress = 4
    /// Seconds a socket has to authenticate.
    package static let authenticationSeconds = 10
    /// Bytes waiting to be written, all peers together.
    package static let bufferedBytes = 64 << 20
    /// Bytes of commits in one batch.
    package static let commitBatchBytes = 256 * 1024

    // MARK: Transport

    /// Of the unauthenticated sockets, how many only addresses may use from which a paired device
    /// has authenticated before: strangers cannot lock paired devices out.
    package static let unauthenticatedSocketsKept = 8
    /// Such addresses that are remembered; a household has fewer.
    package static let familiarAddresses = 64
    /// Connections of all peers together, a session and some blob connections each.
    package static let connections = 256
    /// Of these, how many only a peer may use that has none yet: every peer gets its session.
    package static let connectionsKept = 64
    /// Connections of one peer: a session and blob connections.
    package static let connectionsPerPeer = 8
    /// Pairing connections at a time: one pairs, the others hear that it is busy.
    package static let pairingConnections = 4
    /// The same from one address: one that keeps connecting leaves room for the right device.
    package static let pairingConnectionsPerAddress = 2
    /// What a pairing connection may carry in all: both cards, both names and what proves them.
    package static let pairingBytes = 64 * 1024
    /// Seconds a pairing connection may live: a code's 120 s, and time for two people to look.
    package static let pairingSeconds = 300
    /// Bytes waiting to be written on one connection, two chunks: one peer that does not read
    /// takes no more of `bufferedBytes`.
    package static let bufferedBytesPerConnection = 2 * frameBytes
    /// Memory of a frame that waits to be written, besides its bytes, as it was measured.
    package static let sentFrameBytes = 2048
    /// Seconds in which a connection with bytes to write must get rid of some.
    package static let writeStallSeconds = 60
    /// Bytes received on one connection that nobody has taken yet; reading stops there.
    package static let receivedBytesPerConnection = 2 << 20
    /// The same for all connections together; over it, only connections with none of them read.
    package static let receivedBytes = 64 << 20
    /// The receive buffer of an authenticated connection: with 1 MiB the bulk path is a fifth faster.
    package static let receiveBufferBytes = 1 << 20
    /// Ports tried after a taken one.
    package static let portAttempts = 16

    // MARK: Blobs

    /// One chunk: the unit that is verified alone.
    package static let chunkBytes = 1 << 20
    /// Blobs below this size live in SQLite, larger ones in files.
    package static let smallBlobBytes = 64 * 1024
    /// Largest blob, 16 GiB: its list of chunk hashes (512 KiB) fits one frame.
    package static let blobBytes: UInt64 = 16 << 30
}

extension Limits {
    // MARK: Clocks

    /// How far a received time may move the local clock past its own wall clock.
    package static let clockLeadMilliseconds: UInt64 = 60_000
    /// Commits further ahead than this are applied and flagged.
    package static let clockSkewMilliseconds: UInt64 = 300_000
}

extension Limits {
    // MARK: Messages

    /// Entries of a list in one message that is not a list of commits: spaces, log positions.
    package static let listEntries = 16_384
    /// Blob ids that one Holdings message lists.
    package static let holdingsMissing = 4096
    /// UTF-8 bytes of a name or title in a message.
    package static let nameBytes = 256
    /// Operations and facts in one commit; a commit is at most 1 MiB anyway.
    package static let operationsPerCommit = 65_536
}

extension Limits {
    // MARK: Media on import

    /// Threads that hash and copy the chunks of one file; more than the disk feeds is no gain.
    package static let fileThreads = 4
    /// Largest image file that the decoder reads: it is held in memory whole.
    package static let imageBytes: UInt64 = 256 << 20
    /// Longest edge of a thumbnail, in pixels.
    package static let thumbnailEdge = 512
    /// JPEG quality of a thumbnail, of 100.
    package static let thumbnailQuality: Int32 = 80
    /// Bytes of a thumbnail: 512 by 512 pixels of pure noise stay below it.
    package static let thumbnailBytes = 512 * 1024
    /// Longest edge of an image, in pixels; what the JPEG format can say.
    package static let imageEdge = 65_535
    /// Pixels that the decoder may hold after scaling, 192 MiB of them.
    package static let decodedPixels = 64 << 20
    /// Bytes of coefficients that the decoder may hold of a progressive picture: at most 178 million pixels.
    package static let coefficientBytes = 512 << 20
    /// Bytes of the facts that the decoder reports beside the thumbnail.
    package static let decoderFactsBytes = 4096
    /// Bytes of a camera's name that a picture may say.
    package static let cameraBytes = 256
    /// Address space of the decoder: program, libraries, the file and its pixels.
    package static let decoderMemoryBytes: UInt64 = 1 << 30
    /// Processor seconds of the decoder.
    package static let decoderProcessorSeconds: UInt64 = 20
    /// Wall-clock seconds after which the decoder is killed.
    package static let decoderSeconds = 30
    /// Open files of the decoder.
    package static let decoderFiles: UInt64 = 64
    /// Largest file that the decoder may write: a HEIC image converted to JPEG.
    package static let decoderFileBytes: UInt64 = 128 << 20

    // MARK: Tracks

    /// One GPX file.
    package static let trackBytes: UInt64 = 64 << 20
    /// Nesting of elements in a GPX file; real ones stay below 10.
    package static let trackDepth = 32
    /// Points of one track: eleven days at one a second.
    package static let trackPoints = 1_000_000
    /// UTF-8 bytes of text within one element.
    package static let trackTextBytes = 64 * 1024

    // MARK: Exported files

    /// UTF-8 bytes of an exported file's name: below the 255 of file systems, with room to number.
    package static let exportNameBytes = 200
}

extension Limits {
    // MARK: Encoded values

    /// An Ed25519 signature.
    package static let signatureBytes = 64
    /// Greatest sequence of a log: a commit every microsecond for nine years. The sum over every
    /// position of a message stays far below 64 bits.
    package static let sequence: UInt64 = 1 << 48
    /// Chunks of the largest blob, and so entries of its list of chunk hashes.
    package static let chunksPerBlob = Int(blobBytes) / chunkBytes
    /// Features that a Hello names.
    package static let features = 64
}

extension Limits {
    // MARK: Pairing

    /// Seconds a pairing code is valid: long enough to walk to the other device.
    package static let pairingCodeSeconds = 120
    /// Codes that may be burned without a pairing; then a person must reopen it. Each gives a
    /// stranger one guess in 10^8.
    package static let burnedPairingCodes = 3
    /// Seconds the other device has for its next message in pairing, scrypt on a slow one included.
    package static let pairingMessageSeconds = 30
    /// Seconds two people have to look at each other's names; with the steps before and after it
    /// fits in `pairingSeconds`.
    package static let pairingDecisionSeconds = 180
    /// UTF-8 bytes of a pairing link: a DNS name of 253, a device ID and a secret with room.
    package static let pairingLinkBytes = 512
}

extension Limits {
    // MARK: Schemas

    /// One schema document.
    package static let schemaBytes = 256 * 1024
}

extension Limits {
    // MARK: Protocol

    /// The protocol this program speaks.
    package static let protocolVersion: UInt32 = 1
    /// The TCP port sessions are served on unless another is chosen; in no list of assigned ports.
    package static let defaultPort: UInt16 = 21_827
}

extension Limits {
    // MARK: Discovery

    /// Views of others' service instances, one per instance, interface and IP version: each holds a
    /// resolver, and avahi-daemon allows a client 1024 objects. What comes beyond is not seen.
    package static let discoverySightings = 512
    /// Views of one instance: hosts with more interfaces are still reached by the first ones.
    package static let sightingsPerInstance = 16
    /// UTF-8 bytes of an instance name: one DNS label (RFC 1035).
    package static let instanceNameBytes = 63
    /// Bytes of a TXT record; ours has 12, RFC 6763 section 6.2 advises against more than 1300.
    package static let serviceRecordBytes = 1300
    /// Strings of a TXT record; ours has 2.
    package static let serviceRecordStrings = 64
    /// Digits of a pairing nameplate.
    package static let nameplateDigits = 4
    /// Signals from Avahi that wait for us; when there are more, discovery restarts.
    package static let discoverySignals = 4096
    /// Events of discovery that wait for the agent; when there are more, the oldest go.
    package static let discoveryEvents = 4096
    /// Seconds between attempts to reach Avahi. One attempt opens a socket, or fails to.
    package static let discoveryRetrySeconds = 5
    /// Seconds until an instance that did not resolve is tried again: it may have been cut off.
    package static let resolveRetrySeconds = 30
    /// New names tried in one go when ours is taken, be it by mischief; then the retry time passes.
    package static let instanceRenames = 8
    /// UTF-8 bytes of a host and port that a person types: a DNS name has at most 253.
    package static let hostPortBytes = 300

    // MARK: Network monitor and probe

    /// Milliseconds in which changes of addresses are collected: one plug brings several.
    package static let networkSettleMilliseconds = 500
    /// Addresses of this machine that are looked at.
    package static let networkAddresses = 256
    /// Seconds the probe waits for answers from the network, each time.
    package static let probeSeconds = 3
    /// Remembered addresses the probe dials.
    package static let probedPeers = 16
    /// Answers to the probe's own multicast question that are read.
    package static let probeAnswers = 64
    /// Bytes of the firewall's rules that are read; docker and ufw together write some 100 KiB.
    package static let firewallRulesBytes = 1 << 20
    /// Bytes of the kernel's list of sockets that are read: about 25,000 of them.
    package static let socketListBytes = 4 << 20
}

extension Limits {
    // MARK: This computer

    /// A unix socket's path with its final zero byte (`sockaddr_un`, unix(7)).
    package static let socketPathBytes = 108
}

extension Limits {
    // MARK: Store

    /// Writes to registers in one transaction of a batch: 5 to 20 ms, so that a local write that
    /// waits for it still answers within 50 ms.
    package static let writesPerTurn = 1000
    /// Records that a search ranks; of more, the newest come first. Ranking 100,000 takes 150 ms, these 16.
    package static let rankedMatches = 5_000
    /// Words of a search text that are looked for.
    package static let searchWords = 32
    /// Addresses remembered of one device: its networks of the last months.
    package static let addressesPerDevice = 16
}

extension Limits {
    // MARK: The journal

    /// UTF-8 bytes of a memory's text: with the rest of its commit well below ``commitBytes``.
    package static let memoryTextBytes = 256 * 1024
    /// Tags given at once to one memory.
    package static let tagsAtOnce = 256
    /// Files added at once to one memory: their records fit one commit.
    package static let filesAtOnce = 1000
    /// Files that are taken in at the same time, each with a process that decodes it.
    package static let importsAtOnce = 2
}

extension Limits {
    // MARK: The agent's queues

    /// Bytes that wait to be written to one session: a first sync's window, and thousands of
    /// changes made here meanwhile.
    package static let outboxBytes = 32 << 20
    /// Messages of one session that are being verified or stored; then its reading pauses.
    package static let sessionJobs = 32
    /// Seconds a session has to take the goodbye.
    package static let farewellSeconds = 5
    /// Spaces that one device may offer and that wait for an answer: a friend must not fill a disk.
    package static let offersPerDevice = 64
    /// Incarnations begun because a peer said that it knows more of a log: a quarter of
    /// `logsPerDevice`, as nothing proves what it said.
    package static let claimedIncarnations = 16
}

extension Limits {
    // MARK: What a peer may cost

    /// Resident memory of an agent that is attacked from all sides: the program and its store, some
    /// 120 MiB; `receivedBytes` and `bufferedBytes`; one full outbox; and two messages of 1 MiB that
    /// are being decoded at a time, each up to a hundred times as large in memory. The hostile
    /// suite holds a running agent to it, by VmHWM of /proc/PID/status.
    package static let agentMemoryBytes = 512 << 20
    /// Log lines about one peer's errors at once; then one each `peerErrorSeconds`, with the number
    /// of those left out: a peer that makes errors must not fill the disk with lines about them.
    package static let peerErrorLines = 32
    package static let peerErrorSeconds = 10
    /// Peers about which the log keeps such accounts; the others share one.
    package static let peerErrorAccounts = 256
    /// UTF-8 bytes of a peer's error in the log.
    package static let peerErrorBytes = 200
}

extension Limits {
    // MARK: Membership

    /// Greatest place among the devices of one person that a grant can claim: what it claims beyond
    /// counts as this, so that there is always a next one.
    package static let siblingIndex: UInt32 = 1 << 16
    /// Membership facts in one author log: many years of grants and leaves of a large family. At
    /// each change all facts of a space are judged, so a member must not pile them up.
    package static let factsPerLog = 1024
    /// Of these the last ones, which grants, revocations and statements alone may take.
    package static let factsForRights = 128
    /// Devices of one person that can have grants in a space at a time; as many more can come by
    /// statements of the person's key. Every reader's device costs a key with each epoch.
    package static let devicesPerPerson = 32
}
