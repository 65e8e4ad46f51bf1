import ArgumentParser
import Testing
import peersync

struct CompletionTests {
    @Test(
        "an argument is completed with names of its kind",
        arguments: [
            (["trip", "show"], "positional@0", "trip"),
            (["space", "show"], "positional@0", "space"),
            (["trip", "restore"], "positional@0", "deletedTrip"),
            (["trip", "grant"], "positional@1", "personOrDevice"),
            (["trip", "can"], "positional@1", "person"),
            (["memory", "show"], "positional@0", "memory"),
            (["memory", "add"], "--tag", "tag"), (["memory", "add"], "--bucket", "bucketItem"),
            (["device", "forget"], "positional@0", "device"),
            (["schema", "show"], "positional@0", "schema"),
        ])
    func kinds(command: [String], argument: String, kind: String) {
        let line = ["peersync"] + command + [""]
        let request =
            ["---completion"] + command + ["--", argument, "\(line.count - 1)", "0"] + line
        let response = #expect(throws: (any Error).self) { try Peersync.parseAsRoot(request) }
        if let response {
            #expect(Peersync.exitCode(for: response) == .success)
            #expect(Peersync.message(for: response) == kind)
        }
    }
}
