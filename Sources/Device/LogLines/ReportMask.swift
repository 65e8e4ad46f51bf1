import Foundation
import Glibc
package import LocalAPI

/// Removes from a text what a report for others must not contain: the location of this person's
/// folder, and addresses that are not private. Names are never put in.
package struct ReportMask: Sendable {
    private let folder: String

    package init(_ home: AgentHome) {
        folder = home.directory
    }

    package func masked(_ finding: HealthReport.Finding) -> HealthReport.Finding {
        HealthReport.Finding(
            check: finding.check, severity: finding.severity, sentence: text(finding.sentence),
            remedy: finding.remedy.map(text), repairable: finding.repairable,
            repaired: finding.repaired.map(text))
    }

    package func text(_ text: String) -> String {
        var text = text.replacing(folder, with: "HOME")
        let (short, long) = (
            #/\d{1,3}(?:\.\d{1,3}){3}/#, #/[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}/#
        )
        for pattern in [short, long] {
            text.replace(pattern) { match in
                let address = String(match.output)
                return ReportMask.isPublicAddress(address) ? "(public address)" : address
            }
        }
        return text
    }

    /// A host as it may be shown: only private addresses, no others and no names.
    package static func host(_ host: String) -> String {
        if isPublicAddress(host) { return "(public address)" }
        return isAddress(host) ? host : "(name)"
    }

    /// The same for `host:port` and `[host]:port`.
    package static func host(ofAddress text: String) -> String {
        if isAddress(text) { return host(text) }
        guard let colon = text.lastIndex(of: ":") else { return host(text) }
        let name = text[..<colon].trimmingCharacters(in: ["[", "]"])
        return host(name) + text[colon...]
    }

    static func isAddress(_ text: String) -> Bool { bytes(of: text) != nil }

    static func isPublicAddress(_ text: String) -> Bool {
        guard let bytes = bytes(of: text) else { return false }
        return !isPrivate(bytes)
    }

    /// RFC 1918, 3927, 6598, 1122; RFC 4193, 4291.
    private static func isPrivate(_ bytes: [UInt8]) -> Bool {
        switch (bytes.count, bytes[0], bytes[1]) {
        case (4, 10, _), (4, 127, _), (4, 0, _), (4, 192, 168), (4, 169, 254): true
        case (4, 172, 16...31), (4, 100, 64...127): true
        case (16, 0xFC...0xFD, _), (16, 0xFE, 0x80...0xBF): true
        case (16, 0, 0): bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] <= 1
        default: false
        }
    }

    private static func bytes(of text: String) -> [UInt8]? {
        let plain = String(text.prefix { $0 != "%" })
        for (family, length) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: length)
            if unsafe inet_pton(family, plain, &bytes) == 1 { return bytes }
        }
        return nil
    }
}
