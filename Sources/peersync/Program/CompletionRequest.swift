internal import Agent
internal import ArgumentParser
import Device
internal import Foundation
internal import LocalAPI

/// Answers a shell that asks for completions. On an error it prints nothing: nobody wants to read
/// an error in the middle of a line.
struct CompletionRequest {
    let arguments: [String]

    /// The longest time for the agent's answer: a person waits between two keys.
    private static let limit = Duration.milliseconds(250)
    /// The longest list; nobody reads more.
    private static let longestList = 1_000

    /// Nil if the arguments are an ordinary command.
    init?(_ arguments: [String]) {
        guard arguments.first == "---completion" else { return nil }
        self.arguments = arguments
    }

    func answer() async {
        // The parser answers with the kind of name, in the shell's form.
        guard let response = parserResponse(),
            let kind = CompletedName.allCases.first(where: {
                response.split(separator: "\n").first.map(String.init) == $0.rawValue
            })
        else { return }
        let names = await names(of: kind)
        let lines = response.split(separator: "\n").dropFirst().map(String.init)
        let text = (names + lines).joined(separator: "\n")
        if !text.isEmpty { Output(json: false, terminal: .current).say(text) }
    }

    private func parserResponse() -> String? {
        do {
            _ = try Peersync.parseAsRoot(arguments)
            return nil
        } catch {
            return Peersync.exitCode(for: error) == .success ? Peersync.message(for: error) : nil
        }
    }

    private func names(of kind: CompletedName) async -> [String] {
        await withTaskGroup(of: [String].self) { group in
            group.addTask { await ask(kind) }
            group.addTask {
                // Even if the sleep was cut short, there is no answer.
                try? await Task.sleep(for: Self.limit)
                return []
            }
            defer { group.cancelAll() }
            return await group.next() ?? []
        }
    }

    /// Asks only a running agent: opening the store would take long and might write.
    private func ask(_ kind: CompletedName) async -> [String] {
        do {
            let home = try AgentHome.resolve(
                option: typedHome.map(InputPath.absolute),
                environment: ProcessInfo.processInfo.environment)
            guard let agent = ServiceConnection.client(of: home) else { return [] }
            return Self.typed(try await kind.entries(of: agent))
        } catch {
            return []
        }
    }

    /// The `--home` option on the line that is being typed.
    private var typedHome: String? {
        let words = arguments.drop { $0 != "--" }
        if let word = words.last(where: { $0.hasPrefix("--home=") }) {
            return String(word.dropFirst("--home=".count))
        }
        guard let option = words.lastIndex(of: "--home"), option + 1 < words.endIndex else {
            return nil
        }
        return words[option + 1]
    }

    /// The word for each entry: its name, or its id if several entries have that name or the name
    /// does not fit on one line.
    private static func typed(_ entries: [(name: String, id: String)]) -> [String] {
        let counts = Dictionary(entries.map { ($0.name, 1) }, uniquingKeysWith: +)
        let words = entries.map { name, id in
            let isClear = counts[name] == 1 && Printable.line(name) == name && !name.isEmpty
            return isClear ? name : id
        }
        return Array(words.filter { !$0.isEmpty }.sorted().prefix(longestList))
    }
}
