import Identity
import LocalAPI
import SyncCore

/// The device to join: by code or by link, found by itself or at an address.
struct JoinTarget: Sendable {
    let secret: PairingSecret
    /// Where to call; nil: wherever the nameplate is announced.
    let address: HostPort?
    /// The device that must answer there, when a link names it.
    let device: DeviceID?

    init(_ request: JoinRequest) throws(APIError) {
        let fixed = try request.address.map { typed throws(APIError) in try HostPort(typed: typed) }
        if request.codeOrLink.lowercased().hasPrefix("peersync:") {
            let link: PairingLink
            do throws(PairingLinkError) {
                link = try PairingLink(parsing: request.codeOrLink)
            } catch {
                throw APIError(
                    code: .badInput, sentence: "That is not a whole pairing link.",
                    hint: """
                        Copy all of the line that 'peersync pair --link' shows; it begins with \
                        peersync:pair?
                        """)
            }
            secret = .link(link.secret)
            address = fixed ?? HostPort(host: link.host, port: link.port)
            device = link.device
        } else {
            do throws(PairingCodeError) {
                secret = .code(try PairingCode(parsing: request.codeOrLink))
            } catch {
                throw .malformedCode
            }
            address = fixed
            device = nil
        }
    }
}
