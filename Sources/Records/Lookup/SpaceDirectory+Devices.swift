internal import LocalAPI
package import SyncCore

/// Single devices in the spaces that are here.
extension SpaceDirectory {
    /// Throws when a device is a member of one of them: forgetting it only undoes the pairing.
    package func requireNothingShared(with device: DeviceID) throws {
        let shared = try readable().filter {
            replica.membership(of: $0.id)?.permissions(of: device).isEmpty == false
        }
        guard !shared.isEmpty else { return }
        let rights = shared.lazy.compactMap { replica.membership(of: $0.id) }
        let card = rights.compactMap { $0.facts.card(of: device) }.first
        let name = replica.reference(device).name
        let trips = Sentence.Member.list(shared.map { Sentence.name($0.name) })
        let revoke = shared.first.map {
            "peersync \($0.noun) revoke \(Sentence.quoted($0.name)) \(Sentence.quoted(name))"
        }
        throw APIError(
            code: .conflict,
            sentence: """
                \(Sentence.name(name)) shares \(trips) with you: forgotten, it would still get all \
                of that.
                """,
            hint: card?.person == replica.local.person
                ? "Take everything from it: peersync device lost \(Sentence.quoted(name))"
                : "Take it from that device first: \(revoke ?? "")")
    }

    /// The sentence for a grant that has no effect, because somebody of a higher rank revoked the space.
    /// People of the first rank can grant it again.
    func staysOut(
        _ person: String, of space: ReadableSpace, isMember: Bool
    ) -> APIError {
        let first = (replica.membership(of: space.id)?.members ?? []).map(\.standing).filter {
            $0.order.rank == 1 && $0.current.contains(.admin)
        }
        let able = Set(first.map(\.card.person)).sorted().map { replica.reference($0).name }
        let others =
            able.isEmpty
            ? ""
            : tr(" Ask \(Sentence.Member.list(able.map { Sentence.plain($0) })) to do it.")
        return APIError(
            code: .notAllowed,
            sentence: isMember
                ? """
                Somebody of a higher rank took rights in \(Sentence.name(space.name)) from \(Sentence.plain(person)): you cannot \
                give them back.
                """
                : """
                \(Sentence.plain(person)) was removed from \(Sentence.name(space.name)) by somebody of a higher rank: you cannot \
                let them in again.
                """,
            hint: "Somebody of that rank can.\(others)")
    }
}
