import FoundationEssentials
internal import HTTPTypes

/// One request of the API. Routes and client are both made from it, so they cannot drift apart.
struct Endpoint<Input: RequestInput, Output: Codable & Sendable>: Sendable {
    let method: HTTPRequest.Method
    /// Below `/v1`, with at most one `{id}`, which takes a name or an id.
    let path: String

    /// Of its body.
    let byteLimit: Int

    init(
        _ method: HTTPRequest.Method, _ path: String, upTo byteLimit: Int = LocalLimits.requestBytes
    ) {
        self.method = method
        self.path = "/v1" + path
        self.byteLimit = byteLimit
    }

    /// The path with its `{id}` filled in.
    func target(id: String, query: [(name: String, value: String)]) -> String {
        var target = path.replacing("{id}", with: PercentEncoding.encode(id))
        if !query.isEmpty {
            let pairs = query.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }
            target += "?" + pairs.joined(separator: "&")
        }
        return target
    }
}

/// What a request carries: nothing, a query or a JSON body.
protocol RequestInput: Sendable {
    /// Both halves of a request that carry this value.
    func parts() throws -> (query: [(name: String, value: String)], body: Data?)
    /// Reads it back; throws ``APIError`` with code `badInput`.
    static func read(query: [String: String], body: Data) throws -> Self
}

/// The input of a request that carries nothing.
struct NoInput: RequestInput {
    func parts() -> (query: [(name: String, value: String)], body: Data?) {
        ([], nil)
    }

    static func read(query: [String: String], body: Data) -> NoInput {
        NoInput()
    }
}

/// An input that travels as a JSON body.
protocol BodyInput: RequestInput, Codable {}

extension BodyInput {
    func parts() throws -> (query: [(name: String, value: String)], body: Data?) {
        ([], try JSONCoding.encode(self))
    }

    static func read(query: [String: String], body: Data) throws -> Self {
        do {
            return try JSONCoding.decode(Self.self, from: body)
        } catch let error as DecodingError {
            throw APIError.unreadableRequest(detail: error.shortDescription)
        }
    }
}

extension AddressDraft: BodyInput {}
extension BucketItemDraft: BodyInput {}
extension ConflictDecision: BodyInput {}
extension DoctorRequest: BodyInput {}
extension ExportTarget: BodyInput {}
extension GrantDraft: BodyInput {}
extension JoinRequest: BodyInput {}
extension MemoryChanges: BodyInput {}
extension MemoryDraft: BodyInput {}
extension PairingDecision: BodyInput {}
extension PairingRequest: BodyInput {}
extension RecordBatchDraft: BodyInput {}
extension RecordChanges: BodyInput {}
extension RecordDraft: BodyInput {}
extension RecordExport: BodyInput {}
extension RecoverRequest: BodyInput {}
extension SchemaChange: BodyInput {}
extension SpaceDraft: BodyInput {}
extension SyncSetting: BodyInput {}
extension TagDraft: BodyInput {}
extension TripDraft: BodyInput {}
extension TripRename: BodyInput {}
