import Store
import SyncCore
import Testing

@Suite struct LocalTablesTests {
    private let testLog = TestLog()
    private let now = Milliseconds(1000)

    @Test("search finds words by their beginning, without accents, and takes any text")
    func search() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        try anna.write(
            [titled("Café am Meer", 1), tagged("Übersee", 1), titled("Berghütte", 2)], to: space)
        let key = RecordKey(collection: "memory", record: record(1))

        #expect(try anna.store.records.search("cafe me").map(\.key) == [key])
        #expect(try anna.store.records.search("UBER", in: [space]).map(\.key) == [key])
        #expect(try anna.store.records.search("cafe berg").isEmpty)
        for text in ["", "\"", "a\" OR \"b", "NEAR(", "* ^ -", "title:x", "👋", "'; DROP"] {
            #expect(throws: Never.self, "\(text)") { try anna.store.records.search(text) }
        }
        try anna.write([titled("Anders", 1)], to: space)
        #expect(try anna.store.records.search("cafe").isEmpty)
        try anna.write([deleted(2)], to: space)
        #expect(try anna.store.records.search("berg").isEmpty)
        try anna.write([deleted(2, false)], to: space)
        #expect(try anna.store.records.search("berg").count == 1)
    }

    @Test("without the schema nothing is searched, until it is known")
    func searchWithoutSchema() throws {
        let home = TestPeer.newHome()
        let space: SpaceID
        do {
            let blind = try TestPeer(testLog, seed: 1, home: home, schema: nil)
            space = try blind.found()
            try blind.write([titled("Meer", 1)], to: space)
            #expect(try blind.store.records.search("meer").isEmpty)
            try blind.store.close()
        }
        let anna = try TestPeer(testLog, seed: 1, home: home)
        #expect(try anna.store.records.search("meer").isEmpty)
        #expect(try anna.store.records.remakeOutdated() == 1)
        #expect(try anna.store.records.remakeOutdated() == 0)
        #expect(try anna.store.records.search("meer").count == 1)
    }

    @Test("of each device's acknowledgements and holdings the latest is kept")
    func acks() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        try anna.write([titled("x", 1)], to: space)
        let watermark = try #require(anna.store.ledger(of: space)?.watermark)
        func ack(_ counter: UInt64, _ watermark: Watermark) -> SignedAck {
            SignedAck(
                verified: UnverifiedAck(
                    Ack(
                        space: space, device: anna.device, counter: counter, watermark: watermark),
                    bytes: [UInt8(truncatingIfNeeded: counter)], signature: [1]))
        }
        let missing = [BlobID(sha256([1])), BlobID(sha256([2]))]
        let holdings = SignedHoldings(
            verified: UnverifiedHoldings(
                Holdings(
                    space: space, device: anna.device, counter: 8, held: 3, missing: missing,
                    missingCount: 2, missingBytes: 50, unwanted: [missing[1]]),
                bytes: [4], signature: [5]))

        #expect(try anna.store.statements.keep(ack(5, watermark)))
        #expect(try !anna.store.statements.keep(ack(4, Watermark())))
        #expect(try !anna.store.statements.keep(ack(.max, Watermark())))
        #expect(try anna.store.statements.acks(of: space) == [ack(5, watermark)])
        #expect(try anna.store.statements.keep(holdings))
        #expect(try !anna.store.statements.keep(holdings))
        #expect(try anna.store.statements.holdings(of: space) == [holdings])
        func ownCounter(at time: Milliseconds) throws -> UInt64 {
            try anna.store.statements.keepOwn(of: anna.device, in: space, beyond: 0, now: time) {
                ack($0, watermark).unverified
            }.said.counter
        }
        #expect(try ownCounter(at: Milliseconds(2)) == 9)
        #expect(try ownCounter(at: now) == 1000)
        #expect(throws: StoreError.spaceUnknown(.zero)) {
            try anna.store.statements.acks(of: .zero)
        }
    }

    @Test(
        "an own counter that somebody else with the key of the device drove to its end stays there")
    func greatestCounter() throws {
        // given
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        let greatest = UInt64(Int64.max)
        func own(beyond said: UInt64) throws -> UInt64 {
            try anna.store.statements.keepOwn(
                of: anna.device, in: space, beyond: said, now: now
            ) { counter in
                UnverifiedAck(
                    Ack(
                        space: space, device: anna.device, counter: counter, watermark: Watermark()),
                    bytes: [1], signature: [1])
            }.said.counter
        }
        // then
        #expect(try own(beyond: greatest - 2) == greatest - 1)
        #expect(try own(beyond: greatest) == greatest)
        #expect(try own(beyond: 0) == greatest)
        #expect(try own(beyond: greatest) == greatest)
        #expect(try anna.store.statements.acks(of: space).map(\.said.counter) == [greatest])
    }

    @Test("how far a clock is off is kept, at the ends of what can be said too")
    func skew() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let devices = anna.store.devices
        for skew in [0, Int64.min, Int64.max, Int64.min, -5_000] {
            try devices.noteSkew(skew, of: anna.device)
            #expect(try devices.notedSkew(of: anna.device) == skew)
        }
        try devices.noteSkew(-4_000, of: anna.device)
        #expect(try devices.notedSkew(of: anna.device) == -5_000)
    }

    @Test("a pairing is kept whole; a burned code stays burned")
    func pairing() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let code = try anna.store.pairingCodes.add(now: now)
        #expect(try anna.store.pairingCodes.burn(code, now: now))
        #expect(try !anna.store.pairingCodes.burn(code, now: now))
        #expect(try anna.store.pairingCodes.burnedCount() == 1)

        let content = try #require(ben.card.links.last?.content)
        let known = StoredDevice(
            card: Card(verified: ben.card, content: content), deviceName: "Bens Rechner",
            personName: "Ben", pairedAt: now)
        let address = DeviceAddress(host: "10.0.0.2", port: 47_000, source: .remembered)
        try anna.store.devices.storePairing(known, addresses: [address])

        #expect(try anna.store.pairingCodes.burnedCount() == 0)
        #expect(try !anna.store.pairingCodes.burn(code, now: now))
        #expect(try anna.store.pairingCodes.add(now: now) > code)
        #expect(try anna.store.devices.all() == [known] && known.isPaired)
        #expect(try anna.store.devices.addresses(of: ben.device) == [address])
        #expect(anna.store.keys[ben.device] == content.signingKey)
        try anna.store.devices.forget(ben.device, now: now)
        #expect(try anna.store.devices.device(ben.device)?.isPaired == false)
        #expect(try anna.store.devices.addresses(of: ben.device).isEmpty)
    }

    @Test("of many remembered addresses the latest are kept, and every one that a person gave")
    func addresses() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let content = try #require(anna.card.links.last?.content)
        #expect(throws: StoreError.self) {
            try anna.store.devices.save(
                DeviceAddress(host: "x", port: 1, source: .added), of: anna.device)
        }
        #expect(anna.store.writeFailure == nil)
        try anna.store.devices.save(StoredDevice(card: Card(verified: anna.card, content: content)))
        try anna.store.devices.save(
            DeviceAddress(host: "nas.local", port: 1, source: .added), of: anna.device)
        for number in 1...40 as ClosedRange<UInt64> {
            let address = DeviceAddress(
                host: "10.0.0.\(number)", port: 1, source: .remembered,
                succeededAt: Milliseconds(number))
            try anna.store.devices.save(address, of: anna.device)
        }
        let kept = try anna.store.devices.addresses(of: anna.device)
        #expect(kept.count == Limits.addressesPerDevice + 1)
        #expect(kept.first?.host == "10.0.0.40" && kept.last?.host == "nas.local")
    }

    @Test("of each host the usual port and the latest other one are remembered")
    func ports() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let content = try #require(anna.card.links.last?.content)
        try anna.store.devices.save(StoredDevice(card: Card(verified: anna.card, content: content)))
        let met: [(host: String, port: UInt16)] = [
            ("a", Limits.defaultPort), ("a", 40_001), ("b", 40_002), ("a", 40_003),
        ]
        for (number, place) in met.enumerated() {
            try anna.store.devices.save(
                DeviceAddress(
                    host: place.host, port: place.port, source: .remembered,
                    succeededAt: Milliseconds(UInt64(number) + 1)),
                of: anna.device)
        }
        let kept = try anna.store.devices.addresses(of: anna.device)
        #expect(kept.map(\.port) == [40_003, 40_002, Limits.defaultPort])
    }

    @Test("settings, offers and standings are kept")
    func others() throws {
        let anna = try TestPeer(testLog, seed: 1)
        try anna.store.settings.set("sync", to: "on")
        try anna.store.settings.set("gone", to: "x")
        try anna.store.settings.set("gone", to: nil)
        #expect(try anna.store.settings.value(of: "sync") == "on")
        #expect(try anna.store.settings.value(of: "gone") == nil)

        let space = SpaceID(sha256([9]))
        let offer = Offer(
            title: "Rom", from: "Ben", flags: [.read], bytes: 5, schema: "groceries")
        #expect(try anna.store.spaces.saveOffer(offer, of: space, by: anna.device))
        #expect(try anna.store.spaces.space(space)?.offer == offer)
        try anna.store.spaces.setStanding(of: space, to: .active, now: now)
        #expect(try !anna.store.spaces.saveOffer(offer, of: space, by: anna.device))
        #expect(try anna.store.spaces.space(space)?.acceptedAt == now)
        #expect(anna.store.ledger(of: space) == nil)
    }

    @Test("a chunk list comes back as it was")
    func chunkLists() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let list = try ChunkList(
            length: UInt64(Limits.chunkBytes) + 1, hashes: [sha256([1]), sha256([2])])

        let space = try anna.found()
        try anna.store.files.markPresent([(list.blobID, list)], in: space, now: now)
        try anna.store.files.markMissing([list.blobID])

        #expect(try anna.store.files.chunkList(of: list.blobID) == list)
        #expect(try anna.store.files.blob(list.blobID)?.isPresent == false)
        #expect(throws: StoreError.blobTooLarge(bytes: Limits.smallBlobBytes)) {
            try anna.store.files.storeSmall(
                [(list.blobID, [UInt8](repeating: 0, count: Limits.smallBlobBytes))], in: space,
                now: now)
        }
    }
}
