internal import HTTPTypes

/// Devices that carry encrypted trips and cannot read them.
package struct VaultOperations: Sendable {
    package let list = Operation<NoInput, VaultList>(
        .get, "/vaults", "List vaults",
        "Devices that carry trips of this one, and what this one carries for others.")
    package let add = Operation<VaultDraft, VaultChange>(
        .post, "/vaults", "Make a device a vault",
        "It stores, verifies and passes on an encrypted trip, or all of them, and can read nothing of it. "
            + "Its person has to accept.")
    package let remove = Operation<VaultDraft, VaultChange>(
        .post, "/vaults/remove", "Have a vault carry a trip no more",
        "What it has it keeps, and can read nothing of it; it gets nothing new.")
}
