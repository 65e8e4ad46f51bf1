package import SyncCore

/// Carries out the actions that the engine returns.
package protocol EngineActions: Sendable {
    /// Called by the loop for one action after another; must not wait.
    func perform(_ action: EngineAction)
}
