internal import LocalAPI

/// One conflict with all its values.
enum ConflictText {
    static func rendered(_ conflict: ConflictView, width: Int?) -> String {
        var table = Table([.number(""), .text("", shrinksTo: 20), .text(""), .text("")])
        for (index, value) in conflict.values.enumerated() {
            table.add([
                String(index + 1), text(of: value),
                value.isShown ? Sentence.Memory.shownValue : "",
                "\(value.author.name) (\(value.device.name)), \(Formatting.ago(value.written))",
            ])
        }
        let heading = Printable.line(Sentence.Conflicts.heading(conflict))
        return "\(Style.bold(heading))  \(conflict.shortID)\n"
            + table.rendered(width: width, indent: 2, headings: false) + "\n  "
            + Printable.paragraph(Sentence.Conflicts.reason(conflict))
    }

    static func text(of value: ConflictView.Value) -> String {
        let text = value.text.isEmpty ? Sentence.Conflicts.empty : value.text
        return value.field.map { "\(Sentence.Changes.field($0)): \(text)" } ?? text
    }
}
