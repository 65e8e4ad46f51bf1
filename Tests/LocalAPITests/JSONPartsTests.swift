import Foundation
import LocalAPI
import Testing

struct JSONPartsTests {
    /// What a sample with all its optional parts says.
    private func names(_ value: some Encodable) throws -> Set<String> {
        let content = try JSONSerialization.jsonObject(with: try JSONCoding.encode(value))
        return Set(try #require(content as? [String: Any]).keys)
    }

    private static let views: [any (Codable & Equatable & Sendable).Type] = [
        TripView.self, DeviceView.self, MemoryView.self, RecordView.self,
    ]

    @Test("a view of several parts is one object, with the properties that openapi.yaml promises")
    func oneObject() throws {
        // given
        let page = try OpenAPIPage()
        for view in Self.views {
            // when
            let properties = page.part("components", "schemas", "\(view)", "properties")

            // then
            #expect(try names(SampleMaker.make(view)) == Set(properties.keys), "\(view)")
        }
    }

    @Test("a view of several parts is the same after JSON")
    func roundTrip() throws {
        func expectSame<View: Codable & Equatable>(_ type: View.Type) throws {
            for extent in SampleMaker.Extent.allCases {
                let view = try SampleMaker.make(type, extent)
                #expect(try JSONCoding.decode(View.self, from: JSONCoding.encode(view)) == view)
            }
        }
        for view in Self.views { try expectSame(view) }
    }

    @Test("the JSON of a view of several parts does not show how it is divided")
    func golden() throws {
        // given
        var details = TripView.Details(schema: "journal")
        details.encryption = EncryptionView(keys: 2, keysHere: 1, writable: true, closed: 0)
        let trip = TripView(
            .init(
                id: "t1", shortID: "t", name: "Arles", active: true, membership: .member,
                role: .admin, grantedBy: nil),
            contents: .init(members: 1, memories: 2, media: 3, bytes: 4), sync: .init(.synced),
            details: details)

        // when
        let text = String(decoding: try JSONCoding.encode(trip), as: UTF8.self)

        // then
        #expect(
            text == """
                {"active":true,"bytes":4,\
                "encryption":{"closed":0,"keys":2,"keysHere":1,"writable":true},"id":"t1",\
                "mediaCount":3,"memberCount":1,"membership":"member","memoryCount":2,\
                "missing":{"bytes":0,"changes":0,"files":0},"name":"Arles","problems":[],\
                "quarantined":0,"role":"admin","schema":"journal","shortID":"t","state":"synced"}
                """)
    }

    @Test("the JSON of a record is one object, with empty properties and without absent ones")
    func record() throws {
        // given
        let someone = Reference(id: "a1", shortID: "a", name: "Ann")
        let record = RecordView(
            .init(
                id: "r1", shortID: "r", space: someone, collection: "product", name: "Milk",
                fields: [:]),
            .init(
                .shown, seen: "00", author: someone, changed: Moment(milliseconds: 0),
                status: .inSync))

        // when
        let text = String(decoding: try JSONCoding.encode(record), as: UTF8.self)

        // then
        let reference = #"{"id":"a1","name":"Ann","shortID":"a"}"#
        let moment = String(
            decoding: try JSONCoding.encode(Moment(milliseconds: 0)), as: UTF8.self)
        #expect(
            text == """
                {"author":\(reference),"changed":\(moment),"collection":"product","conflicts":[],\
                "derived":{},"fields":{},"id":"r1","name":"Milk","overruled":[],"seen":"00",\
                "shortID":"r","space":\(reference),"standing":"shown","status":"in_sync",\
                "unknown":{}}
                """)
    }
}
