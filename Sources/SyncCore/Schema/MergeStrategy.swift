/// How surviving concurrent writes become the shown value. Each is a pure function of the
/// survivors; a later version of one gets a name of its own, as what is shown must not differ
/// between builds.
package enum MergeStrategy: String, CaseIterable, Sendable {
    /// The greatest hybrid time.
    case lastWrite
    /// Of texts the one with more characters.
    case longest
    /// Three-way merge of texts.
    case mergeText
    /// Of positions the one with the smallest radius.
    case mostAccurate
    /// Sets: one register per element.
    case union
    /// The greatest hybrid time, until somebody decides.
    case userChoice

    /// Whether a field of this type can be merged this way.
    package func fits(_ type: FieldType) -> Bool {
        switch (self, type) {
        case (.union, .set): true
        case (_, .set), (.union, _): false
        case (.lastWrite, _), (.userChoice, _): true
        case (.longest, .text), (.mergeText, .text), (.mostAccurate, .position): true
        case (.longest, _), (.mergeText, _), (.mostAccurate, _): false
        }
    }
}
