/// Which folders of a target use types of each other, by the names of the types.
struct FolderUses {
    /// By folder, then by the folder that declares them: the types that it uses.
    private var uses: [String: [String: Set<String>]] = [:]

    init(_ files: [(folder: String, text: String)]) {
        let read = files.map { (folder: $0.folder, names: TypeNames($0.text)) }
        var folders: [String: String] = [:]
        for file in read {
            for type in file.names.declared { folders[type] = file.folder }
        }
        for file in read {
            for type in file.names.used {
                guard let other = folders[type], other != file.folder else { continue }
                uses[file.folder, default: [:]][other, default: []].insert(type)
            }
        }
    }

    /// Each use of a folder that uses the first one in turn, itself or through others: a sentence for each.
    var circles: [String] {
        uses.sorted { $0.key < $1.key }.flatMap { folder, others in
            others.sorted { $0.key < $1.key }.filter { reached(from: $0.key).contains(folder) }
                .map { other, types in
                    "\(folder) uses \(types.sorted().joined(separator: ", ")) of \(other)"
                }
        }
    }

    /// All folders that a folder uses, itself or through others.
    private func reached(from folder: String) -> Set<String> {
        var (reached, open) = (Set<String>(), [folder])
        while let next = open.popLast() {
            for other in (uses[next] ?? [:]).keys where reached.insert(other).inserted {
                open.append(other)
            }
        }
        return reached
    }
}

/// The types that a Swift file names.
private struct TypeNames {
    /// Those outside other types that other files see.
    private(set) var declared: Set<String> = []
    /// All words that begin as types do, but for modules, members of others and what is declared.
    private(set) var used: Set<String> = []

    private static let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]

    init(_ text: String) {
        let code = Array(String(MaskedSource(text).characters).utf8)
        var (place, depth) = (0, 0)
        var isPrivate = false
        var last = ""
        while place < code.count {
            let start = place
            while place < code.count, Self.isInWord(code[place]) { place += 1 }
            guard place > start else {
                switch code[place] {
                case UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "}"): depth -= 1
                case UInt8(ascii: "\n"): isPrivate = false
                default: break
                }
                place += 1
                continue
            }
            let word = String(decoding: code[start..<place], as: UTF8.self)
            if word == "private" || word == "fileprivate" { isPrivate = true }
            if depth == 0, !isPrivate, Self.kinds.contains(last) { declared.insert(word) }
            let isMember = start > 0 && code[start - 1] == UInt8(ascii: ".")
            if !isMember, last != "import", !Self.kinds.contains(last),
                word.first?.isUppercase == true
            {
                used.insert(word)
            }
            last = word
        }
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || byte == UInt8(ascii: "_")
    }
}
