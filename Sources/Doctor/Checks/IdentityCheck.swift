import Device
import Foundation
import Identity
import LocalAPI
import SyncCore
internal import Wire

/// This device's private key can be read and belongs to its card.
struct IdentityCheck: HealthCheck {
    let check = HealthReport.Check.identity

    func run(_ examination: Examination) async throws -> [Problem] {
        let home = examination.home
        return try await Examination.blocking {
            do {
                let keys = try IdentityStore.storedKeys(of: home)
                let encoded = try Data(contentsOf: URL(fileURLWithPath: home.cardFile))
                let card = try CardVerifier().verify(CardCodec().decode(Array(encoded)))
                guard card.content.signingKey == keys.signingKey else {
                    return [Problem(check, .error, Words(AgentError.keysOfAnother.sentence))]
                }
                return [Problem(check, .ok, Words("This device's key is whole and fits its card."))]
            } catch KeyFileError.notFound where home.hasOfferMark {
                return [Problem(check, .note, Words(AgentError.keysWithService.sentence))]
            } catch KeyFileError.tooOpen {
                // The permission check reports this, and the remedy.
                return []
            } catch let error as KeyFileError {
                let words = Words(
                    "This device's key cannot be used: \(error.reason).",
                    """
                    Copy device.key back from a backup. Without one, set this device up again in \
                    another folder; what your other devices have comes back by itself.
                    """)
                return [Problem(check, .error, words)]
            } catch {
                return [
                    Problem(
                        check, .error,
                        Words(
                            "The file device.card cannot be read, or is not what it was.",
                            "Copy device.card back from a backup of this device."))
                ]
            }
        }
    }
}
