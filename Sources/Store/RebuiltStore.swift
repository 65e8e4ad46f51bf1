/// What became of a store of which bytes were not what was written.
package struct RebuiltStore: Hashable, Sendable {
    /// The name, in the home directory, of the file as it was.
    package let copy: String
    /// Pages of it that were damaged.
    package let damagedPages: Int
}
