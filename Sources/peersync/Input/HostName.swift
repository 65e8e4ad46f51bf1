internal import Foundation

/// The computer's own name, without its domain.
enum HostName {
    static var current: String {
        let name = ProcessInfo.processInfo.hostName
        let first = name.split(separator: ".").first.map(String.init) ?? ""
        return first.isEmpty ? "computer" : first
    }
}
