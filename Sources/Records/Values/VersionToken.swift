package import LocalAPI
package import SyncCore

/// Identifies the commits that a view shows. An edit returns the token: writes by other commits stay beside
/// the edit as further values.
package enum VersionToken {
    private static let length = 16

    package static func token(of state: RecordState) -> String {
        Set(state.statements.map { mark(of: $0.id.commit) }).sorted().joined(separator: ".")
    }

    /// Those of some writes that the token stands for. Throws `badInput` for an invalid token.
    package static func seen(_ writes: [WriteID], in token: String) throws(APIError) -> [WriteID] {
        let marks = token.split(separator: ".", omittingEmptySubsequences: false)
        guard marks.allSatisfy({ $0.utf8.count == length && bytes(hexadecimal: $0) != nil }) else {
            throw APIError(
                code: .badInput, sentence: "What was seen is named in a form that makes no sense.",
                hint: "Hand back the \u{201C}seen\u{201D} as the record showed it.")
        }
        return writes.filter { marks.contains(mark(of: $0.commit)[...]) }
    }

    private static func mark(of commit: CommitID) -> String {
        String(commit.description.prefix(length))
    }
}
