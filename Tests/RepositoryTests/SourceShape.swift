/// What a Swift file declares: its functions and initialisers, and what each type in it has.
struct SourceShape {
    struct Function: Equatable {
        /// `func name`, or `init`.
        let name: String
        /// The type that it belongs to; empty for a function of its own or inside another one.
        let type: String
        let firstLine: Int
        /// Of a struct or an enum, which may take a value for each of its properties.
        let isValueInitialiser: Bool
        /// From its name to its closing brace; 0 for one without a body.
        var lineCount = 0
        var parameterCount = 0

        var path: String {
            let plain = name.replacing("func ", with: "")
            return type.isEmpty ? plain : "\(type).\(plain)"
        }
    }

    private(set) var functions: [Function] = []
    /// By the name of the type, in this file.
    private(set) var storedProperties: [String: Int] = [:]

    private enum Scope {
        case type(String, Kind)
        case function(Int)
        case other
    }

    private enum Kind: String {
        case `struct`, `class`, `enum`, actor, `protocol`, `extension`
    }

    private enum Pending {
        case type(String, Kind)
        case function(Int)
        /// Until the first brace or equals sign says whether it is stored.
        case property
    }

    private var scopes: [Scope] = []
    private var pending: Pending?
    private var depth = 0
    private var line = 1

    init(_ text: String) {
        let code = MaskedSource(text).characters
        var place = 0
        while place < code.count {
            let character = code[place]
            if character.isLetter || character == "_" || character == "`" {
                let word = Self.word(code, place)
                read(word, code, place)
                place += word.count
                continue
            }
            punctuate(character, code, place)
            place += 1
        }
        settleProperty()
    }

    private static func word(_ code: [Character], _ place: Int) -> String {
        String(code[place...].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "`" })
    }

    /// The next word behind spaces, with dots in it.
    private static func name(_ code: [Character], after place: Int) -> String {
        String(
            code[place...].drop { $0.isWhitespace }
                .prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "`" })
    }

    private var isInType: Bool {
        if case .type = scopes.last { true } else { false }
    }

    /// The innermost type with those around it; empty outside all types.
    private var typeName: String {
        scopes.compactMap { if case .type(let name, _) = $0 { name } else { nil } }
            .joined(separator: ".")
    }

    private mutating func read(_ word: String, _ code: [Character], _ place: Int) {
        let before = code[..<place].last
        guard depth == 0, before != ".", before != "\\", before != "@" else { return }
        let name = Self.name(code, after: place + word.count)
        if let kind = Kind(rawValue: word) {
            // `class func` declares no type.
            guard !name.isEmpty, !["func", "var", "let"].contains(name) else { return }
            settleProperty()
            pending = .type(name, kind)
            return
        }
        switch word {
        case "func":
            // An operator has no name of letters.
            settleProperty()
            begin("func " + (name.isEmpty ? "operator" : name))
        case "init":
            guard isInType, let next = code[(place + 4)...].first, "(<?!".contains(next)
            else { return }
            settleProperty()
            begin("init")
        case "subscript", "deinit", "case", "typealias":
            settleProperty()
            pending = nil
        case "let", "var":
            settleProperty()
            if isInType, !Self.isStatic(code, place) { pending = .property }
        default: break
        }
    }

    /// Whether `static` or `class` stands on the line before a place.
    private static func isStatic(_ code: [Character], _ place: Int) -> Bool {
        let start = code[..<place].lastIndex(where: \.isNewline) ?? 0
        let words = String(code[start..<place]).split { !$0.isLetter }
        return words.contains("static") || words.contains("class")
    }

    private mutating func begin(_ name: String) {
        var isValue = false
        if name == "init", case .type(_, let kind) = scopes.last {
            isValue = kind == .struct || kind == .enum
        }
        functions.append(
            Function(
                name: name, type: isInType ? typeName : "", firstLine: line,
                isValueInitialiser: isValue))
        pending = .function(functions.count - 1)
    }

    private mutating func punctuate(_ character: Character, _ code: [Character], _ place: Int) {
        switch character {
        case "(", "[":
            if depth == 0, character == "(", case .function(let index) = pending,
                functions[index].parameterCount == 0
            {
                functions[index].parameterCount = Self.parameters(code, from: place)
            }
            depth += 1
        case ")", "]": depth -= 1
        case "{" where depth == 0: open(code, place)
        case "{":
            // A closure between parentheses: what stands in it is looked at as code, too.
            scopes.append(.other)
            around.append((depth, pending))
            (depth, pending) = (0, nil)
        case "}": close()
        case "=" where depth == 0: settleProperty()
        case _ where character.isNewline:
            line += 1
        default: break
        }
    }

    /// For each brace that is open the depth of parentheses around it, and what is declared there.
    private var around: [(depth: Int, pending: Pending?)] = []

    private mutating func open(_ code: [Character], _ place: Int) {
        around.append((0, nil))
        switch pending {
        case .type(let name, let kind): scopes.append(.type(name, kind))
        case .function(let index): scopes.append(.function(index))
        case .property:
            let first = Self.name(code, after: place + 1)
            if first == "didSet" || first == "willSet" { settleProperty() }
            scopes.append(.other)
        case nil: scopes.append(.other)
        }
        pending = nil
    }

    private mutating func close() {
        settleProperty()
        (depth, pending) = around.popLast() ?? (0, nil)
        if case .function(let index) = scopes.popLast() {
            functions[index].lineCount = line - functions[index].firstLine + 1
        }
    }

    /// A property that was not followed by a brace is stored.
    private mutating func settleProperty() {
        guard case .property = pending else { return }
        pending = nil
        guard case .type(_, let kind) = scopes.last, kind != .protocol else { return }
        storedProperties[typeName, default: 0] += 1
    }

    /// How many parameters a list in parentheses has.
    private static func parameters(_ code: [Character], from place: Int) -> Int {
        var (depth, count, isEmpty) = (0, 1, true)
        for index in place..<code.count {
            switch code[index] {
            case "(", "[", "{", "<": depth += 1
            // The arrow of a function type closes nothing.
            case ">" where code[index - 1] == "-": break
            case ")", "]", "}", ">":
                depth -= 1
                if depth == 0 { return isEmpty ? 0 : count }
            case "," where depth == 1: count += 1
            default: break
            }
            if index > place, !code[index].isWhitespace { isEmpty = false }
        }
        return count
    }
}
