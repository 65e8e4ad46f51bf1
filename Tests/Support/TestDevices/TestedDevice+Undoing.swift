package import LocalAPI

@discardableResult
package func undo(
    _ agent: some TestedDevice, _ change: (inout UndoDraft) -> Void = { _ in }
) async throws -> UndoView {
    var draft = UndoDraft()
    change(&draft)
    return try await agent.service.call(\.changes.undo, draft)
}

@discardableResult
package func redo(_ agent: some TestedDevice) async throws -> UndoView {
    try await agent.service.call(\.changes.redo, UndoDraft())
}
