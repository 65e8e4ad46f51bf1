import Foundation
import Testing

/// What a document refers to.
struct DocumentReferences {
    /// Targets of links: paths, addresses, `doc:` names.
    let links: [String]
    /// What stands between single backquotes, code blocks left out.
    let codeSpans: [String]

    init(_ text: String) {
        var prose = ""
        var isCode = false
        for line in text.components(separatedBy: "\n") {
            if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") {
                isCode.toggle()
            } else if !isCode {
                prose += line + "\n"
            }
        }
        codeSpans = prose.matches(of: /`([^`\n]+)`/).map { String($0.1) }
        links =
            prose.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
            + prose.matches(of: /<(doc:[^>]+)>/).map { String($0.1) }
    }
}

@Suite("What the documents say exists")
struct DocumentTests {
    private static let catalogue = "Sources/Agent/Agent.docc"

    @Test("every link leads somewhere")
    func links() throws {
        try #require(!Repository.documents().isEmpty)
        for document in try Repository.documents() {
            let folder = document.path.split(separator: "/").dropLast().joined(separator: "/")
            for link in DocumentReferences(try document.text()).links {
                if link.hasPrefix("http") || link.hasPrefix("#") { continue }
                let path = link.split(separator: "#").first.map(String.init) ?? link
                if path.hasPrefix("doc:") {
                    let name = String(path.dropFirst("doc:".count))
                    #expect(try isPage(name), "\(document) links to \(link)")
                } else {
                    let target = folder.isEmpty ? path : folder + "/" + path
                    #expect(Repository.exists(target), "\(document) links to \(link)")
                }
            }
        }
    }

    private func isPage(_ name: String) throws -> Bool {
        try Repository.documents().contains {
            $0.path.hasPrefix(Self.catalogue) && $0.name == name + ".md"
        }
    }

    @Test("the map of the sources has a line for each folder inside a target, and for no other one")
    func folders() throws {
        let map = try RepositoryFile(path: Self.catalogue + "/Architecture.md").text()
        let listed = map.matches(of: #/(?m)^\| `(\w+\/[\w\/]+)` \| /#).map { String($0.1) }
        let files =
            try Repository.swiftFiles(below: "Sources").map(\.path)
            + Repository.files().map(\.path).filter { $0.hasPrefix("Sources/Wire/Generated/") }
        let folders = files.map { path in
            path.split(separator: "/").dropFirst().dropLast().joined(separator: "/")
        }
        #expect(listed.sorted() == Set(folders.filter { $0.contains("/") }).sorted())
    }

    @Test(
        "the tables have a line for each folder of the sources and of the tests, and for no other")
    func topFolders() throws {
        let rows = #/(?m)^\| (`[\w`, \/]+`) \| /#
        let pages = [
            ("Sources", Self.catalogue + "/Architecture.md", ""),
            ("Tests", ".github/CONTRIBUTING.md", "Tests/"),
        ]
        for (folder, page, prefix) in pages {
            let names = try RepositoryFile(path: page).text().matches(of: rows)
                .flatMap { $0.1.matches(of: #/`([\w\/]+)`/#).map { String($0.1) } }
            let listed = names.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
                .filter { !$0.contains("/") }
            let there = try Repository.files().map(\.path).filter { $0.hasPrefix(folder + "/") }
                .map { $0.split(separator: "/") }.filter { $0.count > 2 }.map { $0[1] }
            #expect(listed.sorted() == Set(there).sorted(), "\(page)")
        }
    }

    @Test("every path is there")
    func paths() throws {
        let path =
            /^(?:\.\/)?((?:Sources|Tests|examples|certs|\.ci|\.github)\/[\w.+\/-]*|Package\.swift|LICENSE|README\.md)(?:\s.*)?$/
        for document in try Repository.documents() {
            for span in DocumentReferences(try document.text()).codeSpans {
                guard let match = span.firstMatch(of: path) else { continue }
                #expect(Repository.exists(String(match.1)), "\(document) names \(span)")
            }
        }
    }

    @Test("every Swift file that is named without its folder is there, too")
    func fileNames() throws {
        let names = Set(try Repository.files().map(\.name))
        for document in try Repository.documents() {
            for span in DocumentReferences(try document.text()).codeSpans
            where span.wholeMatch(of: /[\w+]+\.swift/) != nil {
                #expect(names.contains(span), "\(document) names \(span)")
            }
        }
    }

    @Test("every type and function that the pages name is in the code")
    func symbols() throws {
        let known = try names()
        let symbol = /^([A-Z]\w+)?\.?(?:(\w+)(?:\([\w:]*\))?)?$/
        for document in try Repository.documents() where document.path.hasPrefix(Self.catalogue) {
            for span in DocumentReferences(try document.text()).codeSpans {
                // A word in lower case alone may be a field of a message or a word of a command.
                guard span.contains("(") || span.first?.isUppercase == true,
                    span != span.uppercased(), let match = span.wholeMatch(of: symbol)
                else { continue }
                for name in [match.1, match.2].compactMap({ $0.map(String.init) })
                where !Repository.exists(name) {
                    let isThere = known.contains(name)
                    #expect(isThere, "\(document) names \(span)")
                }
            }
        }
    }

    /// Every word of the code, of what tests share, and of the messages' definition.
    private func names() throws -> Set<String> {
        let files =
            try Repository.swiftFiles(below: "Sources")
            + Repository.swiftFiles(below: "Tests/Support")
            + [RepositoryFile(path: "Sources/Wire/peersync.proto")]
        var names: Set<String> = []
        for file in files {
            let words = try file.text().utf8.split { byte in
                !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    && byte != UInt8(ascii: "_")
            }
            for word in words { names.insert(String(decoding: word, as: UTF8.self)) }
        }
        return names
    }

    @Test("every test that the threat model counts on is there")
    func tests() throws {
        let text = try RepositoryFile(path: Self.catalogue + "/ThreatModel.md").text()
        let named = text.matches(of: /“([^”]+)”/).map { String($0.1) }
        try #require(!named.isEmpty)
        let tests = try Repository.swiftFiles(below: "Tests").map { try $0.text() }
        for name in named {
            let isThere = tests.contains { $0.contains("\"\(name)\"") }
            #expect(isThere, "no test says “\(name)”")
        }
    }

    @Test("every test of running agents that the threat model counts on is there")
    func runningTests() throws {
        let text = try RepositoryFile(path: Self.catalogue + "/ThreatModel.md").text()
        let named = text.matches(of: /\b\d\d-[a-z]+(?:-[a-z]+)*\b/).map { String($0.0) }
        try #require(!named.isEmpty)
        for name in named {
            #expect(Repository.exists("Tests/IntegrationTests/" + name), "there is no test \(name)")
        }
    }

    @Test("every package that the README names is one that the script installs")
    func packages() throws {
        let script = try RepositoryFile(path: "Tests/Support/install-packages").text()
        let readme = try RepositoryFile(path: "README.md").text()
        for match in readme.matches(of: /\b(lib[a-z0-9-]+-dev|avahi-(?:daemon|utils)|nftables)\b/) {
            let isInstalled = script.contains(match.1)
            #expect(isInstalled, "README names \(match.1)")
        }
    }

    @Test("the README can be read in one go")
    func length() throws {
        let count = try RepositoryFile(path: "README.md").lines().count - 1
        #expect((80...120).contains(count), "\(count) lines")
    }

    @Test("the picture in the README is text alone, and small")
    func picture() throws {
        // A picture of a page can bring scripts, fonts and other files with it.
        let path = "examples/picture/terminal.svg"
        let readme = try RepositoryFile(path: "README.md").text()
        #expect(readme.contains("](\(path))"))
        let picture = try RepositoryFile(path: path).text()
        let elements = Set(picture.matches(of: /<(\w+)/).map { String($0.1) })
        #expect(elements == ["svg", "title", "style", "rect", "text"])
        for word in ["href", "url(", "@import", "@font-face"] {
            #expect(!picture.contains(word), "\(path) has \(word)")
        }
        #expect(picture.utf8.count < 16_384)
    }

    @Test("links and code are found in prose, not in code blocks")
    func finding() {
        let references = DocumentReferences(
            "See [a](b.md) and <doc:C>, `d`.\n```\n[e](f.md) `g`\n```\n")
        #expect(references.links == ["b.md", "doc:C"])
        #expect(references.codeSpans == ["d"])
    }
}
