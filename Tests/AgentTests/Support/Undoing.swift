import LocalAPI

@discardableResult
func undo(
    _ agent: TestAgent, _ change: (inout UndoDraft) -> Void = { _ in }
) async throws -> UndoView {
    var draft = UndoDraft()
    change(&draft)
    return try await agent.service.call(\.changes.undo, draft)
}

@discardableResult
func redo(_ agent: TestAgent) async throws -> UndoView {
    try await agent.service.call(\.changes.redo, UndoDraft())
}
