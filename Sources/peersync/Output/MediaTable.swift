internal import LocalAPI

/// Photos and files as rows.
enum MediaTable {
    static func rendered(_ media: [MediaView], width: Int?, showsMemory: Bool) -> String {
        guard !media.isEmpty else { return tr("No photo or file found.") }
        // Most photos have no caption, and a row has little room.
        let hasCaptions = media.contains { !$0.caption.isEmpty }
        var table = Table(
            [
                .text(""), .text(tr("file"), shrinksTo: 12),
                .text(showsMemory ? tr("memory") : "", shrinksTo: 8),
            ] + (hasCaptions ? [.text(tr("caption"), shrinksTo: 8)] : []) + [
                .number(tr("size")), .text(tr("taken", context: "photo")),
                .text(tr("state"), shrinksTo: 8),
                .text(tr("id")),
            ])
        for item in media {
            table.add(
                [Symbols.of(item.status), item.fileName, showsMemory ? item.memory.name : ""]
                    + (hasCaptions ? [item.caption] : []) + [
                        Sentence.size(item.bytes), item.taken.map { Formatting.time($0) } ?? "",
                        StandingText.of(item.status), item.shortID,
                    ])
        }
        return table.rendered(width: width)
    }
}
