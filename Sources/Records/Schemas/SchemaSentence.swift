import LocalAPI
import SyncCore

/// Turns obstacles of schemas into sentences.
extension Sentence.SchemaObstacle {
    init(_ obstacle: SchemaCache.Obstacle) {
        switch obstacle {
        case .newer: self = .newer
        case .unreadable: self = .unreadable
        case .absent: self = .absent
        }
    }
}

extension APIError {
    init(_ failure: SchemaLoader.Failure) {
        let first = failure.mistakes.first.map { ShownText.line($0.description) } ?? ""
        self = .badSchema(first: first, count: failure.mistakes.count)
    }
}
