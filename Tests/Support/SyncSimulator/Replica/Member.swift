import Identity
import SyncCore
import Wire

/// A device with its keys and card, the same ones in every run.
struct Member: Sendable {
    let keys: DeviceKeys
    let chain: UnverifiedCard
    let card: Card
    /// The first key of the person.
    let personKey: PersonKey

    var device: DeviceID { card.device }
    var person: PersonID { card.person }

    /// All possible members, by person.
    static let all: [[Member]] = (0..<people).map { person in
        do {
            return try family(of: person)
        } catch {
            preconditionFailure("a household that cannot be: \(error)")
        }
    }

    /// The size of a run's largest group.
    private static let people = 24
    private static let devicesPerPerson = 6

    private static func secret(_ text: String) -> Bytes32 {
        sha256(Array("peersync simulation \(text)".utf8))
    }

    private struct NoKeys: Error {}

    private static func family(of person: Int) throws -> [Member] {
        guard let personKey = PersonKey(secret: secret("person \(person)")) else {
            throw NoKeys()
        }
        let issuer = CardIssuer(encoding: CardBytes())
        var members: [Member] = []
        for device in 0..<devicesPerPerson {
            let name = "device \(person) \(device)"
            guard
                let keys = DeviceKeys(
                    signingSecret: secret(name), agreementSecret: secret(name + " agreement"))
            else { throw NoKeys() }
            let chain =
                if let elder = members.first {
                    try issuer.endorse(
                        issuer.request(by: keys, for: personKey.publicKey),
                        endorser: elder.chain, keys: elder.keys)
                } else {
                    issuer.firstCard(of: keys, person: personKey)
                }
            members.append(
                Member(
                    keys: keys, chain: chain, card: try CardVerifier().verify(chain),
                    personKey: personKey))
        }
        return members
    }
}

/// Wire's card codec with the name that Identity expects.
private struct CardBytes: CardEncoding {
    private let codec = CardCodec()

    func encode(_ content: CardContent) -> [UInt8] { codec.encode(content) }
    func encode(links: [CardLink], successions: [KeySuccession]) -> [UInt8] {
        codec.encode(links: links, successions: successions)
    }
}
