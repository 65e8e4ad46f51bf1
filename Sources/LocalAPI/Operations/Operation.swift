import FoundationEssentials
internal import HTTPTypes

/// An operation of the local API, declared only here: the server derives its route from it, the client its
/// request, and `openapi.yaml` its description.
///
/// Input travels in the query of a request that only reads or deletes, and as a JSON body otherwise.
package struct Operation<Input: Codable & Sendable, Answer: Codable & Sendable>: Sendable {
    let method: HTTPRequest.Method
    /// With at most one `{id}`: text from a person, a name or a prefix of an id.
    let path: String
    /// Limit of its body, in bytes.
    let byteLimit: Int
    /// Its purpose, in a few words; and further remarks.
    package let summary: String
    package let details: String?
    /// Whether it takes long and reports progress on request: then the answer is lines of JSON, each with
    /// one property. `progress` (a ``ProgressView``) comes any number of times, `answer` or `error` last.
    /// If the client closes its sending side meanwhile, the operation is cancelled, and the last line has
    /// the result.
    package let reportsProgress: Bool

    /// `path` is below `/v1`.
    init(
        _ method: HTTPRequest.Method, _ path: String,
        upTo byteLimit: Int = LocalLimits.requestBytes, reportsProgress: Bool = false,
        _ summary: String, _ details: String? = nil
    ) {
        self.reportsProgress = reportsProgress
        self.method = method
        self.path = "/v1" + path
        (self.byteLimit, self.summary, self.details) = (byteLimit, summary, details)
    }
}

/// A line of an operation that reports progress.
struct ProgressLine<Answer: Codable & Sendable>: Codable, Sendable {
    var progress: ProgressView?
    var answer: Answer?
    var error: APIError?

    static var mediaType: String { "application/x-ndjson" }
}

/// The input of an operation without one.
package struct NoInput: Codable, Sendable, Hashable {
    package init() {}
}

/// An operation without its types, for iterating over all of them.
package protocol DeclaredOperation: Sendable {
    /// `GET /v1/trips/{id}`, which no other operation has.
    var request: String { get }
    var summary: String { get }
    var details: String? { get }
    var reportsProgress: Bool { get }
    /// Whether input travels as a body, and not in the query.
    var hasBody: Bool { get }
    var inputType: any (Codable & Sendable).Type { get }
    var answerType: any (Codable & Sendable).Type { get }
}

extension Operation: DeclaredOperation {
    package var request: String { "\(method.rawValue) \(path)" }
    package var inputType: any (Codable & Sendable).Type { Input.self }
    package var answerType: any (Codable & Sendable).Type { Answer.self }

    package var hasBody: Bool {
        method != .get && method != .delete && Input.self != NoInput.self
    }

    /// Whether somebody who stops it has to learn if it was done all the same.
    var mayBeTooLate: Bool { reportsProgress && method != .get }

    /// An empty name would change the path.
    func check(id: String) throws(APIError) {
        if placeOfID != nil, id.isEmpty { throw APIError.emptyName }
    }

    /// Where `{id}` stands in the path, found by its braces: searching for a text prepares tables, which takes longer
    /// than all else that a request needs.
    private var placeOfID: ClosedRange<String.Index>? {
        guard let start = path.utf8.firstIndex(of: UInt8(ascii: "{")),
            let end = path.utf8[start...].firstIndex(of: UInt8(ascii: "}"))
        else { return nil }
        return start...end
    }

    /// The path with its `{id}` filled in and its query, and the body. Throws ``APIError``.
    func sent(id: String, _ input: Input) throws -> (target: String, body: Data?) {
        try check(id: id)
        var target = path
        if let placeOfID { target.replaceSubrange(placeOfID, with: PercentEncoding.encode(id)) }
        guard !hasBody else {
            let body = try JSONCoding.encode(input)
            guard body.count <= byteLimit else { throw APIError.requestTooLarge }
            return (target, body)
        }
        let pairs = try QueryCoding.encode(input).map { name, value in
            "\(name)=\(PercentEncoding.encode(value))"
        }
        return (pairs.isEmpty ? target : target + "?" + pairs.joined(separator: "&"), nil)
    }

    /// Reads the input of a request; throws ``APIError`` with code `badInput`.
    func input(query: [String: String], body: Data) throws -> Input {
        do {
            return hasBody
                ? try JSONCoding.decode(Input.self, from: body)
                : try QueryCoding.decode(Input.self, from: query)
        } catch let error as DecodingError {
            throw APIError.unreadableRequest(detail: error.shortDescription)
        }
    }
}
