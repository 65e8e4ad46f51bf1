import Foundation
import Testing

@Suite("How the code reads")
struct StyleTests {
    private static let longestFile = 500
    private static let longestSource = 350
    /// Files of the program that are longer. The list may only shrink.
    private static let longerSources: Set = [
        "Sources/LocalAPI/Catalogue/ProblemSentences.swift",
        "Sources/Networking/Dialing/NetworkService.swift",
        "Sources/Networking/Pairing/PairingService.swift",
        "Sources/Records/DataSets/DataSetReading.swift",
        "Sources/Records/Verdicts/StatusProblem.swift",
        "Sources/Store/Tables/StoreSchema.swift",
    ]

    @Test("no file is too long to be read in one go")
    func files() throws {
        for file in try Repository.swiftFiles() {
            let count = try file.lines().count - 1
            #expect(count <= Self.longestFile, "\(file) has \(count) lines")
        }
    }

    @Test("files of the program are shorter, but for those on a list that may only shrink")
    func sources() throws {
        let longer = try Repository.swiftFiles(below: "Sources").filter {
            try $0.lines().count - 1 > Self.longestSource
        }
        #expect(Set(longer.map(\.path)) == Self.longerSources)
    }

    // In two halves each, so that this file does not break its own rule.
    private static let forbiddenWords = [
        "try" + "!", "as" + "!", "fatal" + "Error(", "TO" + "DO", "FIX" + "ME", "XX" + "X",
    ]

    @Test("nothing is left for later, and nothing ends the program by surprise")
    func words() throws {
        for file in try Repository.swiftFiles() {
            let text = try file.text()
            for word in Self.forbiddenWords where text.contains(word) {
                Issue.record("\(file) has \(word)")
            }
        }
    }

    @Test("the store reads by its own statements, never by requests of GRDB")
    func requests() throws {
        let request = /\.fetch(?:One|All|Set|Cursor)\(/
        for file in try Repository.swiftFiles(below: "Sources") {
            #expect(try file.text().firstMatch(of: request) == nil, "\(file)")
        }
    }

    @Test("the store compares no column that limits an index with a bound value")
    func plannedOnce() throws {
        // SQLite plans such a statement again for each value.
        let compared =
            #/
            \b(?:WHERE|AND|OR|ON)[\s(]+(?:\w+\.)?
            (?:state|held|deleted|conflicted|effective|facts)\s*(?:=|<>|IS)\s*\?
            /#
        for file in try Repository.swiftFiles(below: "Sources/Store") {
            #expect(try file.text().firstMatch(of: compared) == nil, "\(file)")
        }
    }

    @Test("nothing is public: one package, one program")
    func access() throws {
        let open = /^\s*(?:@\S+\s+)*(?:public|open)\s+[a-z]/
        for file in try Repository.swiftFiles() {
            for (number, line) in try file.lines()
            where line.contains("public ") || line.contains("open ") {
                #expect(line.firstMatch(of: open) == nil, "\(file):\(number) \(line)")
            }
        }
    }

    @Test("types are named for what they are; only NIO's are handlers")
    func names() throws {
        let kind = /\b(?:class|struct|enum|actor|protocol)\s+(\w+)/
        let vague = ["Manager", "Helper", "Helpers", "Utils", "Utilities"]
        for file in try Repository.swiftFiles(below: "Sources") {
            let endings = vague + (file.path.hasPrefix("Sources/Transport/") ? [] : ["Handler"])
            let text = try file.text()
            guard endings.contains(where: { text.contains($0) }) else { continue }
            for match in text.matches(of: kind) {
                let isVague = endings.contains { match.1.hasSuffix($0) }
                #expect(!isVague, "\(file) has \(match.1)")
            }
        }
    }

    /// Private inventions that went, so that one word stands for one thing.
    private static let privateWords: Set = [
        "AnnouncerTrials", "BesidePlace", "BlobLoss", "BulkListener", "ChangedSpaces", "FileWrite",
        "Household", "KeysUnderWay", "LogWalk", "LookMarks", "Observed", "Offenders", "Pieces",
        "Places", "Stopping", "TakenFacts", "TakenNotice", "inOrder",
    ]

    @Test("names are the field's words; no function only says that it takes something")
    func fieldWords() throws {
        let name = /\b(?:class|struct|enum|actor|protocol|typealias|func|var)\s+(\w+)/
        let taking = /func\s+take(?:[A-Z]\w*)?/
        let signs = Self.privateWords.union(["func take"])
        for file in try Repository.swiftFiles(below: "Sources") {
            let text = try file.text()
            guard signs.contains(where: { text.contains($0) }) else { continue }
            for match in text.matches(of: name) {
                let isPrivate =
                    Self.privateWords.contains(String(match.1))
                    || match.0.wholeMatch(of: taking) != nil
                #expect(!isPrivate, "\(file) has \(match.0)")
            }
        }
        for file in try Repository.swiftFiles(below: "Tests") {
            let text = try file.text()
            #expect(!text.contains(/func\s+take\(/), "\(file) has func take")
        }
    }

    @Test("comments say “again” or “rebuild”, and name who does something")
    func plainWords() throws {
        let word = /\/\/.*\b(?:anew|[Ww]hoever)\b/
        for file in try Repository.swiftFiles(below: "Sources") {
            for (number, line) in try file.lines() where line.contains("//") {
                #expect(line.firstMatch(of: word) == nil, "\(file):\(number) \(line)")
            }
        }
    }
}
