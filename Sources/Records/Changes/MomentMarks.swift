internal import Foundation
package import LocalAPI
internal import Store
internal import SyncCore

/// Moments that a person gave a name to, on this device: by when changes came to it.
package struct MomentMarks: Sendable {
    private static let setting = "history.marks"

    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// The latest last. Throws what the store throws.
    package func all() throws -> [MarkView] {
        guard let text = try replica.store.setting(MomentMarks.setting) else { return [] }
        return try JSONCoding.decode([MarkView].self, from: Data(text.utf8))
    }

    /// Names this moment. Throws ``APIError``.
    package func mark(_ draft: NameDraft) throws -> MarkView {
        let name = draft.name.trimmedLine
        guard !name.isEmpty, name.utf8.count <= Limits.nameBytes, ShownText.isClean(name) else {
            throw Sentence.Usage.badName(draft.name, most: Limits.nameBytes)
        }
        guard !MomentMarks.isTime(name) else { throw Sentence.History.markIsTime(name) }
        var marks = try all()
        guard !marks.contains(where: { $0.name == name }) else {
            throw Sentence.History.markExists(name)
        }
        guard marks.count < Limits.momentMarks else { throw Sentence.History.tooManyMarks }
        let mark = MarkView(name: name, at: Moment(replica.now))
        marks.append(mark)
        try keep(marks)
        return mark
    }

    package func remove(_ name: String) throws -> MarkView {
        var marks = try all()
        guard let index = marks.firstIndex(where: { $0.name == name }) else {
            throw Sentence.History.noMark(name)
        }
        let mark = marks.remove(at: index)
        try keep(marks)
        return mark
    }

    private func keep(_ marks: [MarkView]) throws {
        let text = String(decoding: try JSONCoding.encode(marks), as: UTF8.self)
        try replica.store.setSetting(MomentMarks.setting, to: marks.isEmpty ? nil : text)
    }

    /// Whether a word says a time already.
    private static func isTime(_ name: String) -> Bool {
        if name == "all" { return true }
        do {
            _ = try TimeInput().start(name)
            return true
        } catch {
            return false
        }
    }
}

extension Limits {
    /// Moments that have a name.
    static let momentMarks = 1_000
}
