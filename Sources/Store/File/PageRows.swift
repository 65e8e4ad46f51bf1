internal import SyncCore

/// Reads the rows of tables from pages, whatever these hold: a page that is damaged is left out, and
/// so is a row that is none (SQLite file format, 1.6 and 2.1).
struct PageRows {
    private let file: PageFile
    private let usable: Int

    init(_ file: PageFile) {
        self.file = file
        usable = PageFile.pageBytes - (file.isChecked ? PageFile.checksumBytes : 0)
    }

    /// The rows of a table or index whose tree starts at a page. Of a table with row ids, the id
    /// comes in place of the first value. Returns whether every page could be read.
    func rows(
        ofTree root: UInt32, _ body: ([PageValue]) throws -> Void
    ) throws -> Bool {
        var isWhole = true
        var seen: Set<UInt32> = []
        var waiting = [root]
        while let number = waiting.popLast() {
            guard seen.insert(number).inserted, let page = try file.page(number), page.holds,
                let node = PageNode(page.bytes, number)
            else {
                isWhole = false
                continue
            }
            waiting += node.children.reversed()
            guard node.kind != .tableInterior else { continue }
            for cell in node.cells {
                if let row = try row(cell, of: node, provenPages: true) {
                    try body(row)
                } else {
                    isWhole = false
                }
            }
        }
        return isWhole
    }

    /// Every row with a row id that can be made out anywhere, also in pages that are damaged, or in
    /// use no more: for what proves itself.
    func strayRows(_ body: ([PageValue]) throws -> Void) throws {
        var number: UInt32 = 1
        while let page = try file.page(number) {
            try rows(in: page.bytes, number, body)
            number += 1
        }
        for bytes in try file.walPages() { try rows(in: bytes, 2, body) }
    }

    private func rows(
        in page: [UInt8], _ number: UInt32, _ body: ([PageValue]) throws -> Void
    ) throws {
        guard let node = PageNode(page, number), node.kind == .tableLeaf else { return }
        for cell in node.cells {
            if let row = try row(cell, of: node, provenPages: false) { try body(row) }
        }
    }

    private func row(
        _ cell: Int, of node: PageNode, provenPages: Bool
    ) throws(StoreError) -> [PageValue]? {
        var reader = CellReader(node.bytes[cell..<usable])
        if node.kind == .indexInterior { reader.skip(4) }
        guard let length = reader.varint(), length <= UInt64(Limits.rowBytes) else { return nil }
        var id: UInt64?
        if node.kind == .tableLeaf {
            guard let number = reader.varint() else { return nil }
            id = number
        }
        guard let payload = try payload(Int(length), reader.rest, node.kind, provenPages),
            var values = PageRows.values(of: payload)
        else { return nil }
        if let id, values.first == .null { values[0] = .integer(Int64(bitPattern: id)) }
        return values
    }

    /// The bytes of a row: what stands in its cell, and on the pages it goes on to.
    private func payload(
        _ length: Int, _ local: ArraySlice<UInt8>, _ kind: PageNode.Kind, _ provenPages: Bool
    ) throws(StoreError) -> [UInt8]? {
        let most = kind == .tableLeaf ? usable - 35 : (usable - 12) * 64 / 255 - 23
        guard length > most else {
            return local.count >= length ? Array(local.prefix(length)) : nil
        }
        let least = (usable - 12) * 32 / 255 - 23
        let even = least + (length - least) % (usable - 4)
        let kept = even <= most ? even : least
        guard local.count >= kept + 4 else { return nil }
        var payload = Array(local.prefix(kept))
        var next = UInt32(bigEndian: local.dropFirst(kept).prefix(4))
        while payload.count < length {
            guard let page = try file.page(next), page.holds || !provenPages else { return nil }
            payload += page.bytes[4..<usable].prefix(length - payload.count)
            next = UInt32(bigEndian: page.bytes[0..<4])
        }
        return payload
    }

    private static func values(of record: [UInt8]) -> [PageValue]? {
        var header = CellReader(record[...])
        guard let headerLength = header.varint(), headerLength <= UInt64(record.count) else {
            return nil
        }
        var body = CellReader(record[Int(headerLength)...])
        header.end(at: Int(headerLength))
        var values: [PageValue] = []
        while !header.rest.isEmpty {
            guard let type = header.varint(), let value = body.value(of: type) else { return nil }
            values.append(value)
        }
        return values
    }
}

/// A page of a tree.
struct PageNode {
    enum Kind: UInt8 {
        case indexInterior = 2
        case tableInterior = 5
        case indexLeaf = 10
        case tableLeaf = 13
    }

    let kind: Kind
    let bytes: [UInt8]
    /// Where cells start, as far as they lie within the page.
    let cells: [Int]

    /// Nil when it is none. The first page of a file has the file's header before.
    init?(_ bytes: [UInt8], _ number: UInt32) {
        let start = number == 1 ? 100 : 0
        guard bytes.count == PageFile.pageBytes, let kind = Kind(rawValue: bytes[start]) else {
            return nil
        }
        self.kind = kind
        self.bytes = bytes
        let isLeaf = kind == .indexLeaf || kind == .tableLeaf
        let list = start + (isLeaf ? 8 : 12)
        let count = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
        var cells: [Int] = []
        for index in 0..<count {
            let place = list + 2 * index
            guard place + 2 <= bytes.count else { break }
            let cell = Int(bytes[place]) << 8 | Int(bytes[place + 1])
            if cell >= list, cell + 4 <= PageFile.pageBytes - PageFile.checksumBytes {
                cells.append(cell)
            }
        }
        self.cells = cells
        rightmost = isLeaf ? nil : UInt32(bigEndian: bytes[(start + 8)..<(start + 12)])
    }

    private let rightmost: UInt32?

    /// The pages below, in order.
    var children: [UInt32] {
        guard let rightmost else { return [] }
        return cells.map { UInt32(bigEndian: bytes[$0..<$0 + 4]) } + [rightmost]
    }
}

/// Reads numbers and values from front to back; every step checks what is left.
private struct CellReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }

    mutating func end(at place: Int) { rest = rest.prefix(upTo: max(place, rest.startIndex)) }

    /// Seven bits per byte, high ones first; the ninth byte has eight.
    mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for place in 0..<9 {
            guard let byte = rest.popFirst() else { return nil }
            if place == 8 { return value << 8 | UInt64(byte) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return value }
        }
        return nil
    }

    /// The next value, of a serial type. The store writes no fractions.
    mutating func value(of type: UInt64) -> PageValue? {
        switch type {
        case 0: return .null
        case 8: return .integer(0)
        case 9: return .integer(1)
        case 1...6:
            let count = [1, 2, 3, 4, 6, 8][Int(type) - 1]
            guard let bytes = consume(count), let first = bytes.first else { return nil }
            let sign: UInt64 = first < 0x80 ? 0 : .max
            return .integer(Int64(bitPattern: bytes.reduce(sign) { $0 << 8 | UInt64($1) }))
        case 12...UInt64(Limits.rowBytes) * 2:
            guard let bytes = consume(Int(type - 12) / 2) else { return nil }
            return type % 2 == 0 ? .bytes(Array(bytes)) : .text(Array(bytes))
        default: return nil
        }
    }

    private mutating func consume(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

extension Limits {
    /// Bytes of one row that is read without SQLite: a commit and what is noted beside it; the
    /// largest lists of ids are smaller.
    static let rowBytes = 4 << 20
}
