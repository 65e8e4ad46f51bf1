package import LocalAPI
package import SyncCore

/// News for a person about a data set that this device follows.
package struct FollowedSetNotice: Hashable, Sendable {
    package let space: SpaceID
    package let set: String
    package let sentence: Message
    package let hint: Message?

    package init(space: SpaceID, set: String, sentence: Message, hint: Message?) {
        (self.space, self.set, self.sentence, self.hint) = (space, set, sentence, hint)
    }
}
