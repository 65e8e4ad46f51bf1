/// The input of an operation that gives a long list part by part.
package protocol PartFilter: Codable, Sendable {
    associatedtype Part: Codable, Sendable

    /// Asks for what comes behind a part that this one gave; nil behind the last one.
    func next(behind part: Part) -> Self?
}
