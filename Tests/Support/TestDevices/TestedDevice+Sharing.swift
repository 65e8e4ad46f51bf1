import Device
package import Identity
package import LocalAPI
import Records
import Store
package import SyncCore

extension TestedDevice {
    /// Ann and Ben, paired.
    package static func pair(
        by key: PersonKey = .generate(),
        _ body: (_ ann: Self, _ ben: Self) async throws -> Void
    ) async throws {
        try await with("Ann", key: key) { ann in
            try await with("Ben") { ben in
                try ann.meet(ben)
                try ben.meet(ann)
                try await body(ann, ben)
            }
        }
    }

    /// Ann's trip with one memory, granted to Ben and received by him.
    package static func shared(
        _ role: LocalAPI.Role, by key: PersonKey = .generate(),
        _ body: (_ ann: Self, _ ben: Self, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await pair(by: key) { ann, ben in
            let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try await ann.add("Duomo")
            let member = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "ben", role: role))
            guard member.role == role, member.person.name == "Ben", !member.accepted,
                let space = bytes(hexadecimal: trip.id).flatMap({ SpaceID(bytes: $0) })
            else { throw UnexpectedSetUp("\(member) of \(trip.id)") }
            let offer = Offer(
                title: "Arezzo", from: "Ann", flags: role.permissions, bytes: 0)
            _ = try ben.node.store.spaces.saveOffer(
                offer, of: space, by: ann.node.identity.deviceID)
            try await body(ann, ben, space)
        }
    }
}
