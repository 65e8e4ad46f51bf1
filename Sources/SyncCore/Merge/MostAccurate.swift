/// The strategy `mostAccurate`: the position with the smallest radius of uncertainty, and of equally
/// good ones the last write. One that names no radius is the least accurate, none at all even less.
enum MostAccurate {
    static func choice(of writes: [SurvivingWrite]) -> SurvivingWrite? {
        writes.max { one, other in
            let (left, right) = (radius(one.value), radius(other.value))
            return left == right ? SurvivingWrite.isOlder(one, other) : left > right
        }
    }

    /// Metres; what is no position, or claims a radius that is none, is infinitely far off.
    private static func radius(_ value: Value) -> Double {
        guard let position = value.position else { return .infinity }
        guard let radius = position.radiusMetres, radius >= 0, radius.isFinite else {
            return .greatestFiniteMagnitude
        }
        return radius
    }
}
