import Testing

@Suite("The folders inside a target")
struct FolderTests {
    @Test("no folder uses types of a folder that uses it in turn")
    func circles() throws {
        for target in try Repository.targets() {
            let top = "Sources/" + target
            let files = try Repository.swiftFiles(below: top).map { file in
                (
                    folder: file.path.split(separator: "/").dropFirst().dropLast()
                        .joined(separator: "/"),
                    text: try file.text()
                )
            }
            let circles = FolderUses(files).circles
            #expect(circles.isEmpty, "\(circles.joined(separator: "\n"))")
        }
    }

    @Test("no file is one that a merge or a patch left beside another")
    func leftovers() throws {
        let files = try Repository.files().map(\.path)
        // then
        #expect(files.filter { $0.hasSuffix(".orig") || $0.hasSuffix(".rej") } == [])
        try #require(files.count > 100)
    }

    @Test("an archive, the log, the status and media are one room each")
    func rooms() throws {
        let words: Set<Substring> = ["Archive", "Log", "Media", "Status"]
        let folders = try Repository.swiftFiles(below: "Sources").flatMap { file in
            let parts = file.path.split(separator: "/").dropFirst().dropLast()
            return parts.indices.dropFirst().filter { words.contains(parts[$0]) }.map {
                parts[...$0].joined(separator: "/")
            }
        }
        // The log of a space, which SyncCore judges and Store keeps.
        #expect(Set(folders) == ["Store/Log", "SyncCore/Log"])
    }

    @Test("no file is left over from a merge or a patch")
    func leftOver() throws {
        let left = try Repository.files().filter {
            $0.path.hasSuffix(".orig") || $0.path.hasSuffix(".rej")
        }
        #expect(left.isEmpty, "\(left)")
    }

    @Test("two folders that use each other are found, and what only looks like it is not")
    func pair() {
        // given
        let above = (folder: "Above", text: "package struct Agent {\n    let lock: Lock\n}\n")
        // when
        let circle = FolderUses([
            above, (folder: "Below", text: "enum Lock {\n    static let owner: Agent? = nil\n}\n"),
        ])
        let none = FolderUses([
            above,
            (
                folder: "Below",
                text: """
                /// Used by `Agent`.
                struct Lock {
                    struct Agent {}
                    let text = "Agent \\(Self.Agent.self)"
                }
                private enum Store {}
                """
            ),
            (folder: "Beside", text: "let lock = Lock.Agent()\nprivate struct Store {}\n"),
        ])
        // then
        #expect(circle.circles == ["Above uses Lock of Below", "Below uses Agent of Above"])
        #expect(none.circles == [])
    }

    @Test("a circle through a third folder is found, and only what is part of it")
    func three() {
        // given
        let files = [
            (folder: "A", text: "struct One { var two: Two }"),
            (folder: "B", text: "struct Two { var three: Three }"),
            (folder: "C", text: "struct Three { var one: One; var four: Four }"),
            (folder: "D", text: "struct Four {}"),
        ]
        // when
        let circles = FolderUses(files).circles
        // then
        #expect(circles == ["A uses Two of B", "B uses Three of C", "C uses One of A"])
    }
}
