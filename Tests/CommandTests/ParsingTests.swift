import ArgumentParser
import Foundation
import LocalAPI
import Testing
import peersync

struct ParsingTests {
    @Test(
        "global options are accepted in every place",
        arguments: [
            ["--home", "/h", "--json", "trip", "show", "Arezzo"],
            ["trip", "--home=/h", "--json", "show", "Arezzo"],
            ["trip", "show", "--home", "/h", "Arezzo", "--json"],
            ["--json", "trip", "--home", "/h", "show", "--", "Arezzo"],
        ])
    func globalOptions(arguments: [String]) throws {
        let parsed = try ArgumentOrder(arguments).parsed()
        let command = try #require(parsed as? Command<ShowSpace<Trip>>)
        #expect(command.global.home == "/h")
        #expect(command.global.json)
        #expect(!command.global.yes)
        #expect(command.body.space.name == "Arezzo")
    }

    @Test("global options before a command with many files are not read as files")
    func greedyOption() throws {
        let arguments = ["--yes", "memory", "add", "T", "--photo", "a.jpg", "b.jpg"]
        let parsed = try ArgumentOrder(arguments).parsed()
        let command = try #require(parsed as? Command<MemoryAdd>)
        #expect(command.global.yes)
        #expect(command.body.photo == ["a.jpg", "b.jpg"])
    }

    @Test("southern latitudes and texts that begin with a dash are values")
    func dashes() throws {
        let parsed = try Peersync.parseAsRoot([
            "memory", "add", "T", "--position", "-33.9,151.2", "--title", "-5 degrees", "--tag",
            "-x",
        ])
        let command = try #require(parsed as? Command<MemoryAdd>)
        #expect(command.body.fields.position?.latitude == -33.9)
        #expect(command.body.fields.title == "-5 degrees")
        #expect(command.body.tag == ["-x"])
    }

    @Test("a negative number after an option is its value, and can be reported as wrong")
    func negativeNumbers() {
        let words = { ArgumentOrder($0).normalised }
        #expect(words(["log", "--limit", "-1", "Arezzo"]) == ["log", "--limit=-1", "Arezzo"])
        #expect(words(["log", "--limit=3", "-1"]) == ["log", "--limit=3", "-1"])
        #expect(words(["log", "--", "--limit", "-1"]) == ["log", "--", "--limit", "-1"])
    }

    @Test(
        "wrong usage has exit code 64",
        arguments: [
            ["frob"], ["trip", "frob"], ["trip", "show"], ["trip", "show", "a", "b"],
            ["trip", "grant", "a", "b", "--role", "boss"], ["sync", "maybe"],
            ["run", "--port", "x"],
            ["memory", "add", "T", "--position", "91,0"], ["memory", "add", "T", "--at", "soon"],
            ["memory", "add", "T", "--accuracy", "5"], ["memory", "edit", "M", "--clear", "title"],
            ["join", "7-4827-1956", "--at"],
            ["why"], ["why", "Beach", "--all"],
        ])
    func wrongUsage(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try Peersync.parseAsRoot(arguments) }
        if let error { #expect(Peersync.exitCode(for: error).rawValue == 64) }
    }

    @Test("Two names for a device are refused with a sentence about other devices")
    func twoNames() {
        // given
        let arguments = ["device", "rename", "phone", "kitchen"]
        // when
        let error = #expect(throws: (any Error).self) { try Peersync.parseAsRoot(arguments) }
        // then
        let told = error.map { Peersync.message(for: $0) } ?? ""
        #expect(told.contains("Another device is renamed on that device itself"))
        #expect(error.map { Peersync.exitCode(for: $0).rawValue } == 64)
    }

    @Test("every command has help with an example that parses, also by its own parser")
    func everyCommandHasAnExample() throws {
        var checked: Set<String> = []
        for command in Self.allCommands(below: Peersync.self) {
            let configuration = command.configuration
            #expect(configuration.abstract.hasSuffix("."), "\(command)")
            let lines = configuration.discussion.split(separator: "\n").map(String.init)
            let examples = lines.filter { $0.hasPrefix("  ") && $0.contains("peersync ") }
            #expect(!examples.isEmpty, "\(command)")
            for example in examples {
                let words = try #require(Self.words(of: example))
                guard checked.insert(example).inserted else { continue }
                let order = ArgumentOrder(words)
                let parsed = try Peersync.parseAsRoot(order.normalised)
                let alone = order.parsedAlone()
                let group = order.command.configuration
                let isOfMany =
                    words.isEmpty || !group.subcommands.isEmpty && group.defaultSubcommand == nil
                #expect((alone == nil) == isOfMany, "\(example)")
                if let alone { #expect("\(alone)" == "\(parsed)", "\(example)") }
            }
        }
        #expect(checked.count > 40)
    }

    @Test("every command in the README exists")
    func readme() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let typed = text.matches(of: /\$ peersync ([a-z][a-z ]*)/).map { String($0.1) }
        let named = text.matches(of: /[|,] (?:`peersync` or )?`([a-z][a-z ]*)/).map { String($0.1) }
        try #require(typed.count >= 7 && named.count >= 40)
        for command in typed + named {
            var words: [String] = []
            for word in command.split(separator: " ").map(String.init) {
                let before = ArgumentOrder(words).command
                words.append(word)
                let isArgument = before.configuration.subcommands.isEmpty
                #expect(isArgument || ArgumentOrder(words).command != before, "\(command)")
            }
        }
    }

    @Test(
        "a command's own parser accepts the same arguments as the tree of all commands",
        arguments: [
            ["memory", "add", "T", "--title", "--json"],
            ["memory", "add", "T", "--title", "--json", "x"],
            ["memory", "add", "T", "--title", "--home"],
            ["memory", "add", "T", "--title", "--json=x"],
            ["memory", "add", "T", "--title", "--home", "/h", "x"],
            ["memory", "add", "--photo", "a", "--json", "T"],
            ["memory", "add", "T", "--photo", "a", "--json", "b"],
            ["memory", "add", "T", "--tag", "--", "--json"],
            ["memory", "add", "T", "--title", "--help"], ["trip", "show", "--help"],
            ["trip", "show", "a", "--version"], ["trip", "show", "--", "--json"],
            ["trip", "show", "--home", "-x", "a"], ["trip", "show", "a", "--home", "--json"],
            ["trip", "recover", "a"], ["trip", "rescue", "a", "--yes"], ["help", "trip"],
            ["status", "--generate-completion-script", "bash"], ["run", "---completion"],
            ["--home", "-x", "status"], ["--home", "status"], ["--yes=no", "status"],
            ["history", "a"], ["--json", "history", "a", "--space", "b"], ["history", "help"],
            ["history", "--help"], ["history", "--", "mark"], ["history", "--limit", "x"],
            ["orphans"], ["orphans", "rescue", "a"], ["orphans", "--json", "rescue", "a"],
            ["backup"], ["backup", "/d", "--yes"], ["backup", "/d", "list"], ["bin", "frob"],
        ])
    func aloneAsAmongAll(arguments: [String]) {
        let order = ArgumentOrder(arguments)
        let among = Result { try Peersync.parseAsRoot(order.normalised) }
        guard let alone = order.parsedAlone() else { return }
        guard case .success(let parsed) = among else {
            Issue.record("only alone: \(alone)")
            return
        }
        #expect("\(alone)" == "\(parsed)")
    }

    @Test(
        "the former name of orphans recover takes the same options",
        arguments: [
            ["orphans", "rescue"], ["trip", "rescue"], ["trip", "recover"], ["space", "recover"],
        ])
    func formerWords(command: [String]) throws {
        for options in [[], ["a"], ["a", "--device", "laptop"], ["--undo"]] {
            let former = try Peersync.parseAsRoot(command + options)
            let now = try Peersync.parseAsRoot(["orphans", "recover"] + options)
            #expect(Self.values(former) == Self.values(now))
        }
        let help = Peersync.helpMessage(for: Trip.self)
        #expect(!help.contains("rescue") && !help.contains("recover"))
    }

    /// The typed values, without the type of the command.
    private static func values(_ command: any ParsableCommand) -> String {
        let text = "\(command)"
        return String(text.drop { $0 != "(" }.dropFirst().drop { $0 != "(" })
    }

    private static func allCommands(
        below command: any ParsableCommand.Type
    ) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { allCommands(below: $0) }
    }

    /// The arguments of an example as a shell would pass them; quotes are its only syntax.
    private static func words(of example: String) -> [String]? {
        guard let start = example.range(of: "peersync ") else { return nil }
        var words = [""]
        var quote: Character?
        for character in example[start.upperBound...] {
            switch character {
            case "\"" where quote != "'", "'" where quote != "\"":
                quote = quote == nil ? character : nil
            case " " where quote == nil: words.append("")
            default: words[words.count - 1].append(character)
            }
        }
        return words.filter { !$0.isEmpty }
    }
}
