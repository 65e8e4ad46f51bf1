/// The strategy `longest`: the text with the most Unicode scalars, and of equally long ones the last
/// write. Scalars, because what a character is differs between versions of Unicode.
enum Longest {
    static func choice(of writes: [SurvivingWrite]) -> SurvivingWrite? {
        writes.max { one, other in
            let (left, right) = (length(one.value), length(other.value))
            return left == right ? SurvivingWrite.isOlder(one, other) : left < right
        }
    }

    private static func length(_ value: Value) -> Int {
        value.text?.unicodeScalars.count ?? 0
    }
}
