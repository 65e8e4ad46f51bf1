package import SyncCore

/// Does what the engine asks for.
package protocol EngineActions: Sendable {
    /// Called by the loop for one action after the other: it must not wait.
    func perform(_ action: EngineAction)
}
