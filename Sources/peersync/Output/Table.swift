internal import LocalAPI

/// Rows in aligned columns, plain text, two spaces apart.
package struct Table {
    /// One column: its heading, and whether it may shrink if a line is too long.
    package struct Column {
        let heading: String
        var alignsRight = false
        /// Its smallest width; nil for a column that is never cut.
        var shrinksTo: Int?
        /// At the end of a line it is continued below and never cut.
        var wraps = false

        package static func text(_ heading: String, shrinksTo: Int? = nil) -> Column {
            Column(heading: heading, shrinksTo: shrinksTo)
        }

        /// For what must not be cut, as the last column.
        package static func wrapping(_ heading: String, shrinksTo: Int) -> Column {
            Column(heading: heading, shrinksTo: shrinksTo, wraps: true)
        }

        package static func number(_ heading: String) -> Column {
            Column(heading: heading, alignsRight: true)
        }
    }

    private let columns: [Column]
    private var rows: [[String]] = []
    /// How wide the columns of the last part were; empty before the first.
    private var least: [Int] = []

    package init(_ columns: [Column]) { self.columns = columns }

    /// One cell per column; each is made safe to show and joined to one line.
    package mutating func add(_ cells: [String]) {
        rows.append(cells.map(Self.clean))
    }

    /// The lines, indented by `indent` columns, and as long as `width` at most if the columns can
    /// shrink that much; nil cuts nothing. Where they cannot, each row continues on further lines.
    package func rendered(width: Int?, indent: Int = 0, headings: Bool = true) -> String {
        let headed = headings && columns.contains { !$0.heading.isEmpty }
        let margin = String(repeating: " ", count: indent)
        return lines(layout(to: width.map { $0 - indent }, headed), headed)
            .map { margin + $0 }.joined(separator: "\n")
    }

    /// The lines of the rows that were added since the last part, the headings before the first: for a long table
    /// that is shown as it comes. A column is as wide as before, or wider.
    package mutating func part(width: Int?) -> String {
        let headed = least.isEmpty
        let layout = layout(to: width, true)
        least = layout.widths
        defer { rows = [] }
        return lines(layout, headed).joined(separator: "\n")
    }

    /// How wide the columns are, and which of them stand in one line: one list for each line of a row.
    private struct Layout {
        var widths: [Int]
        var folds: [[Int]]

        /// By how much the second line of a row and those after it are indented: below a sign that begins the row they
        /// start where the name does.
        var margin: Int { widths.first.map { $0 == 1 ? 3 : 2 } ?? 0 }
    }

    private func layout(to limit: Int?, _ headed: Bool) -> Layout {
        let widths = columns.indices.map { column in
            let cells = rows.map { TextWidth.columns($0[column]) }
            let heading = headed ? TextWidth.columns(columns[column].heading) : 0
            return max(cells.max() ?? 0, heading, least.isEmpty ? 0 : least[column])
        }
        var layout = Layout(widths: widths, folds: [Array(columns.indices)])
        guard let limit, width(of: columns.indices, widths) > limit else { return layout }
        layout.folds = folds(layout, to: limit)
        for (number, fold) in layout.folds.enumerated() {
            shrink(&layout.widths, fold, to: limit - (number == 0 ? 0 : layout.margin))
        }
        return layout
    }

    private func width(of fold: some Collection<Int>, _ widths: [Int]) -> Int {
        fold.reduce(0) { $0 + widths[$1] } + 2 * max(0, fold.count - 1)
    }

    /// Each line takes columns that are not empty, in order, while they fit as narrow as they can be.
    private func folds(_ layout: Layout, to limit: Int) -> [[Int]] {
        let narrow = zip(columns, layout.widths).map { min($1, $0.shrinksTo ?? $1) }
        var folds: [[Int]] = []
        var fold: [Int] = []
        for column in columns.indices where layout.widths[column] > 0 {
            let margin = folds.isEmpty ? 0 : layout.margin
            if !fold.isEmpty, margin + width(of: fold + [column], narrow) > limit {
                folds.append(fold)
                fold = []
            }
            fold.append(column)
        }
        return folds + [fold]
    }

    /// Takes from the widest column first, and before that from one that wraps, which loses nothing.
    private func shrink(_ widths: inout [Int], _ fold: [Int], to limit: Int) {
        var excess = width(of: fold, widths) - limit
        while excess > 0 {
            let shrinking = fold.filter { widths[$0] > columns[$0].shrinksTo ?? widths[$0] }
            let wrapping = shrinking.last { columns[$0].wraps && $0 == fold.last }
            guard let column = wrapping ?? shrinking.max(by: { widths[$0] < widths[$1] }) else {
                return
            }
            widths[column] -= 1
            excess -= 1
        }
    }

    private func lines(_ layout: Layout, _ headed: Bool) -> [String] {
        var lines: [String] = []
        if headed { lines += self.lines(columns.map(\.heading), layout).map { Style.faint($0) } }
        return lines + rows.flatMap { self.lines($0, layout) }
    }

    /// The lines of one row; a fold with nothing in it is left out, but for the first.
    private func lines(_ cells: [String], _ layout: Layout) -> [String] {
        layout.folds.enumerated().flatMap { number, fold -> [String] in
            let lines = lines(cells, layout.widths, fold)
            guard number > 0 else { return lines }
            let margin = String(repeating: " ", count: layout.margin)
            return lines == [""] ? [] : lines.map { margin + $0 }
        }
    }

    private func lines(_ cells: [String], _ widths: [Int], _ fold: [Int]) -> [String] {
        guard let last = fold.last, columns[last].wraps else { return [line(cells, widths, fold)] }
        let pieces = WrappedText.lines(cells[last][...], first: widths[last], next: widths[last])
        let before = fold.dropLast().reduce(0) { $0 + widths[$1] + 2 }
        var cells = cells
        cells[last] = pieces.first ?? ""
        let margin = String(repeating: " ", count: before)
        return [line(cells, widths, fold)] + pieces.dropFirst().map { margin + $0 }
    }

    private func line(_ cells: [String], _ widths: [Int], _ fold: [Int]) -> String {
        var parts: [String] = []
        for column in fold {
            // A word that is wider than the column stays whole, so that it can be copied.
            let isWhole = columns[column].wraps && column == fold.last
            let text = isWhole ? cells[column] : TextWidth.fitted(cells[column], to: widths[column])
            let gap = String(
                repeating: " ", count: max(0, widths[column] - TextWidth.columns(text)))
            parts.append(columns[column].alignsRight ? gap + text : text + gap)
        }
        var line = parts.joined(separator: "  ")
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }

    /// Style marks stay: they come from this program.
    private static func clean(_ cell: String) -> String {
        var clean = ""
        var run = ""
        for scalar in cell.unicodeScalars {
            if Style(rawValue: scalar.value) != nil {
                clean += Printable.line(run, isWhole: true)
                clean.unicodeScalars.append(scalar)
                run = ""
            } else {
                run.unicodeScalars.append(scalar)
            }
        }
        return clean + Printable.line(run, isWhole: true)
    }
}
