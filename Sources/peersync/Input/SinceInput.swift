internal import LocalAPI

/// A time, or a moment that a person named.
enum SinceInput: Sendable, Equatable {
    case moment(Moment)
    case name(String)

    init(typed: String) {
        self = TimeInput().since(typed).map { .moment($0) } ?? .name(typed)
    }

    /// Throws ``APIError`` if there is no such moment.
    func moment(in context: CommandContext) async throws -> Moment {
        switch self {
        case .moment(let moment): return moment
        case .name(let typed):
            let marks = try await context.call(\.changes.marks)
            guard let mark = marks.first(where: { $0.name == typed }) else {
                throw Sentence.History.noMark(typed)
            }
            return mark.at
        }
    }
}
