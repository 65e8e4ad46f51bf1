internal import LocalAPI

/// Rows in aligned columns, plain text, two spaces apart.
package struct Table {
    /// One column: its heading, and whether it may shrink if a line is too long.
    package struct Column {
        let heading: String
        var alignsRight = false
        /// Its smallest width; nil for a column that is never cut.
        var shrinksTo: Int?

        package static func text(_ heading: String, shrinksTo: Int? = nil) -> Column {
            Column(heading: heading, shrinksTo: shrinksTo)
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
    /// shrink that much; nil cuts nothing.
    package func rendered(width: Int?, indent: Int = 0, headings: Bool = true) -> String {
        let headed = headings && columns.contains { !$0.heading.isEmpty }
        let margin = String(repeating: " ", count: indent)
        return lines(widths(to: width.map { $0 - indent }, headed), headed)
            .map { margin + $0 }.joined(separator: "\n")
    }

    /// The lines of the rows that were added since the last part, the headings before the first: for a long table
    /// that is shown as it comes. A column is as wide as before, or wider.
    package mutating func part(width: Int?) -> String {
        let headed = least.isEmpty
        least = widths(to: width, true)
        defer { rows = [] }
        return lines(least, headed).joined(separator: "\n")
    }

    private func widths(to limit: Int?, _ headed: Bool) -> [Int] {
        var widths = columns.indices.map { column in
            let cells = rows.map { TextWidth.columns($0[column]) }
            let heading = headed ? TextWidth.columns(columns[column].heading) : 0
            return max(cells.max() ?? 0, heading, least.isEmpty ? 0 : least[column])
        }
        if let limit { shrink(&widths, to: limit) }
        return widths
    }

    private func lines(_ widths: [Int], _ headed: Bool) -> [String] {
        var lines: [String] = []
        if headed {
            lines.append(Style.faint(line(columns.map(\.heading), widths)))
        }
        return lines + rows.map { line($0, widths) }
    }

    private func shrink(_ widths: inout [Int], to limit: Int) {
        var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - limit
        for (column, definition) in columns.enumerated() {
            guard excess > 0, let least = definition.shrinksTo else { continue }
            let cut = min(excess, max(0, widths[column] - least))
            widths[column] -= cut
            excess -= cut
        }
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var parts: [String] = []
        for (column, cell) in cells.enumerated() {
            let text = TextWidth.fitted(cell, to: widths[column])
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
