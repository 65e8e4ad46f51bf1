internal import FoundationEssentials
internal import Glibc
import Identity
import SyncCore

/// A peer that breaks the rules, for the integration tests. It reads the keys of a home without a
/// running agent, and acts as that device.
///
///     hostile-peer trials HOME HOST:PORT [WORD...]    each message that must be refused, or borne
///     hostile-peer flood NAME SECONDS HOME HOST:PORT  allowed messages without end
///     hostile-peer doors HOME HOST:PORT               what is not trusted; HOME is a paired device
///     hostile-peer export HOME FOLDER                 certificate and key for other programs
///     hostile-peer older|newer|ahead|far-newer HOME HOST:PORT [TITLE]
///                                                     a device of another version of the protocol
///     hostile-peer pass HOME HOST:PORT SPACE SECONDS  commits from standard input, a line each: header,
///                                                     signature, clear part and operations in hex
///     hostile-peer fork HOME HOST:PORT SPACE          proofs that the own log forked at the commits of standard
///                                                     input, a line each: header and signature in hex;
///                                                     first comes the header of the genesis
///     hostile-peer overgrow KIND COUNT HOME HOST:PORT
///                                                     statements of a member without end: devices, unknown,
///                                                     epochs
///     hostile-peer limit NAME                         a number that Limits names
///
/// Ends with one line of counts, and exits with 1 if any result was wrong.
@main
struct HostilePeer {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            guard try await run(arguments) else { exit(1) }
        } catch let failure as Scene.Failure {
            print("failed: \(failure.reason)")
            exit(1)
        } catch {
            print("failed: \(error)")
            exit(1)
        }
    }

    private static func run(_ words: [String]) async throws -> Bool {
        switch (words.first, words.count) {
        case ("trials", 3...):
            return try await trials(words[1], try place(words[2]), words.dropFirst(3))
        case ("flood", 5): return try await flood(words[1], words[2], words[3], try place(words[4]))
        case ("older", 3...4), ("newer", 3...4), ("ahead", 4), ("far-newer", 3):
            return try await version(words[0], words[1], try place(words[2]), words.dropFirst(3))
        case ("doors", 3): return try await doors(words[1], try place(words[2]))
        case ("export", 3): return try export(words[1], to: words[2])
        case ("pass", 5):
            let passing = try Passing(
                Scene(place: try place(words[2]), home: words[1]), space: words[3])
            return try await passing.run(seconds: Int(words[4]) ?? 0)
        case ("fork", 4):
            try await Forking(
                Scene(place: try place(words[2]), home: words[1]), space: words[3]
            ).run()
            return true
        case ("overgrow", 5): return try await overgrow(words)
        case ("limit", 2): return limit(words[1])
        default: throw Scene.Failure(reason: "see the head of HostilePeer.swift")
        }
    }

    private static func place(_ text: String) throws -> Place {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let port = UInt16(parts[1]) else {
            throw Scene.Failure(reason: "no address: \(text)")
        }
        return Place(host: String(parts[0]), port: port)
    }

    private static func trials(
        _ home: String, _ place: Place, _ words: ArraySlice<String>
    ) async throws -> Bool {
        var scene = try Scene(place: place, home: home)
        try await scene.lookAround()
        var counts: [Trial.Ending: Int] = [:]
        var failed = 0
        for trial in try Trial.all(scene)
        where words.isEmpty || words.contains(where: { trial.name.contains($0) }) {
            counts[trial.ending, default: 0] += 1
            if let problem = try await trial.run(scene) {
                failed += 1
                print("FAIL \(trial.name): \(problem)")
            } else {
                print("ok \(trial.ending.rawValue): \(trial.name)")
            }
        }
        let refused = counts[.refused] ?? 0
        let others = [Trial.Ending.tolerated, .parted, .cut].map { counts[$0] ?? 0 }
        print(
            "refused \(refused) tolerated \(others[0]) parted \(others[1]) cut \(others[2])",
            "failed \(failed)")
        return failed == 0
    }

    private static func flood(
        _ name: String, _ seconds: String, _ home: String, _ place: Place
    ) async throws -> Bool {
        guard let flood = Flood(rawValue: name), let seconds = Double(seconds) else {
            let names = Flood.allCases.map(\.rawValue).joined(separator: " ")
            throw Scene.Failure(reason: "one of \(names)")
        }
        var scene = try Scene(place: place, home: home)
        try await scene.lookAround()
        let done = try await flood.run(scene, seconds: seconds)
        print("messages \(done.messages) connections \(done.connections)")
        return true
    }

    private static func overgrow(_ words: [String]) async throws -> Bool {
        guard let kind = Overgrowth.Kind(rawValue: words[1]), let count = Int(words[2]) else {
            let names = Overgrowth.Kind.allCases.map(\.rawValue).joined(separator: " ")
            throw Scene.Failure(reason: "a number, and one of \(names)")
        }
        var scene = try Scene(place: try place(words[4]), home: words[3])
        try await scene.lookAround()
        var overgrowth = try Overgrowth(scene)
        try await overgrowth.run(kind, count: count)
        return true
    }

    private static func version(
        _ age: String, _ home: String, _ place: Place, _ title: ArraySlice<String>
    ) async throws -> Bool {
        guard let age = VersionPeer.Age(rawValue: age) else { return false }
        try await VersionPeer(age, place: place, home: home).run(title: title.first)
        return true
    }

    private static func doors(_ home: String, _ place: Place) async throws -> Bool {
        let keys = try KeyFile.read(from: home + "/device.key")
        let doors = Door.all(trusted: keys) + Door.wrongProtocols(of: keys)
        var failed = 0
        for door in doors {
            if let problem = try await door.knock(at: place) {
                failed += 1
                print("FAIL \(door.name): \(problem)")
            } else {
                print("ok \(door.name)")
            }
        }
        print("doors \(doors.count) failed \(failed)")
        return failed == 0
    }

    private static func export(_ home: String, to folder: String) throws -> Bool {
        let pair = DeviceCertificate(keys: try KeyFile.read(from: home + "/device.key"))
        for (name, bytes) in [("cert.der", pair.certificate), ("key.der", pair.privateKey)] {
            try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
        }
        return true
    }

    private static func limit(_ name: String) -> Bool {
        let limits = [
            "agentMemoryBytes": Limits.agentMemoryBytes,
            "unauthenticatedSockets": Limits.unauthenticatedSockets,
            "peerErrorLines": Limits.peerErrorLines,
        ]
        guard let limit = limits[name] else { return false }
        print(limit)
        return true
    }
}
