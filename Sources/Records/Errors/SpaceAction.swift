import LocalAPI

/// Actions that a role may forbid, as in "you may not …".
package enum SpaceAction: Sendable {
    case addMemory, changeMemory, deleteMemory, removeFile, rename, close, delete, grant
    case addTag, changeTag
    case addBucketItem, changeBucketItem, recover, changeRecords, deleteRecords, changeSchema
    case decide, restore, revoke, encrypt

    /// A person who may write can also delete their own additions.
    func words(as role: Role) -> String {
        switch (self, role) {
        case (.deleteMemory, .contributor): tr("delete memories of others")
        case (.removeFile, .contributor): tr("remove photos or tracks of others")
        case (.deleteRecords, .contributor): tr("delete what others added")
        default: words
        }
    }

    private var words: String {
        switch self {
        case .addMemory: tr("add memories")
        case .changeMemory: tr("change memories")
        case .deleteMemory: tr("delete memories")
        case .removeFile: tr("remove photos or tracks")
        case .rename: tr("rename it")
        case .close: tr("say whether it is over")
        case .delete: tr("delete it")
        case .grant: tr("give it to others")
        case .revoke: tr("take it from others")
        case .addTag: tr("add tags")
        case .changeTag: tr("change its tags")
        case .addBucketItem: tr("add to its bucket list")
        case .changeBucketItem: tr("change its bucket list")
        case .recover: tr("bring changes back")
        case .decide: tr("decide this")
        case .restore: tr("bring it back")
        case .changeRecords: tr("change its records")
        case .deleteRecords: tr("delete its records")
        case .changeSchema: tr("change its schema")
        case .encrypt: tr("change its key")
        }
    }
}
