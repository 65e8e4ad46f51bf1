import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The routes of `/v1`, answered by any ``AgentService``.
package struct Routes: Sendable {
    typealias Context = BasicRequestContext

    private let service: any AgentService

    package init(service: any AgentService) {
        self.service = service
    }

    /// What is served, as `GET /v1/trips/{id}` or `GET /v1/trips/:id`.
    package var requests: [String] {
        router().routes.map { "\($0.method.rawValue) \($0.path)" }
    }

    /// A new router with every endpoint.
    func router() -> Router<Context> {
        let router = Router(context: Context.self)
        router.middlewares.add(ErrorsAsJSON())
        addGeneral(to: router)
        addPairing(to: router)
        addTrips(to: router)
        addConflicts(to: router)
        addMemories(to: router)
        addRecords(to: router)
        return router
    }

    private func addGeneral(to router: Router<Context>) {
        on(Endpoints.info, router) { service, _, _ in try await service.info() }
        on(Endpoints.status, router) { service, _, _ in try await service.status() }
        on(Endpoints.doctorNetwork, router) { service, _, _ in try await service.doctorNetwork() }
        on(Endpoints.startDoctor, router) { service, _, input in
            try await service.startDoctor(input)
        }
        on(Endpoints.pollDoctor, router) { service, _, input in
            try await service.pollDoctor(input)
        }
        on(Endpoints.cancelDoctor, router) { service, _, _ in try await service.cancelDoctor() }
        on(Endpoints.diagnostics, router) { service, _, _ in try await service.diagnostics() }
        on(Endpoints.syncNow, router) { service, _, _ in try await service.syncNow() }
        on(Endpoints.setSync, router) { service, _, input in try await service.setSync(input) }
        on(Endpoints.devices, router) { service, _, _ in try await service.devices() }
        on(Endpoints.forgetDevice, router) { service, id, _ in
            try await service.forgetDevice(id)
        }
        on(Endpoints.addAddress, router) { service, id, input in
            try await service.addAddress(id, input)
        }
    }

    private func addPairing(to router: Router<Context>) {
        on(Endpoints.openPairing, router) { service, _, input in
            try await service.openPairing(input)
        }
        on(Endpoints.joinPairing, router) { service, _, input in
            try await service.joinPairing(input)
        }
        on(Endpoints.pollPairing, router) { service, id, input in
            try await service.pollPairing(id, input)
        }
        on(Endpoints.decidePairing, router) { service, id, input in
            try await service.decidePairing(id, input)
        }
        on(Endpoints.cancelPairing, router) { service, id, _ in
            try await service.cancelPairing(id)
        }
    }

    private func addTrips(to router: Router<Context>) {
        on(Endpoints.trips, router) { service, _, _ in try await service.trips() }
        on(Endpoints.createTrip, router) { service, _, input in
            try await service.createTrip(input)
        }
        on(Endpoints.showTrip, router) { service, id, _ in try await service.showTrip(id) }
        on(Endpoints.renameTrip, router) { service, id, input in
            try await service.renameTrip(id, input)
        }
        on(Endpoints.deleteTrip, router) { service, id, _ in try await service.deleteTrip(id) }
        on(Endpoints.members, router) { service, id, _ in try await service.members(ofTrip: id) }
        on(Endpoints.grantTrip, router) { service, id, input in
            try await service.grantTrip(id, input)
        }
        on(Endpoints.acceptTrip, router) { service, id, _ in try await service.acceptTrip(id) }
        on(Endpoints.declineTrip, router) { service, id, _ in try await service.declineTrip(id) }
        on(Endpoints.leaveTrip, router) { service, id, _ in try await service.leaveTrip(id) }
        on(Endpoints.recover, router) { service, _, input in try await service.recover(input) }
        on(Endpoints.digest, router) { service, id, _ in try await service.digest(ofTrip: id) }
    }

    private func addConflicts(to router: Router<Context>) {
        on(Endpoints.why, router) { service, id, input in try await service.why(id, input) }
        on(Endpoints.conflicts, router) { service, _, input in try await service.conflicts(input) }
        on(Endpoints.resolveConflict, router) { service, id, input in
            try await service.resolveConflict(id, input)
        }
    }

    private func addMemories(to router: Router<Context>) {
        on(Endpoints.memories, router) { service, _, input in try await service.memories(input) }
        on(Endpoints.addMemory, router) { service, _, input in
            try await service.addMemory(input)
        }
        on(Endpoints.showMemory, router) { service, id, _ in try await service.showMemory(id) }
        on(Endpoints.editMemory, router) { service, id, input in
            try await service.editMemory(id, input)
        }
        on(Endpoints.deleteMemory, router) { service, id, _ in
            try await service.deleteMemory(id)
        }
        on(Endpoints.media, router) { service, _, input in try await service.media(input) }
        on(Endpoints.exportMedia, router) { service, id, input in
            try await service.exportMedia(id, input)
        }
        on(Endpoints.tags, router) { service, _, input in try await service.tags(input) }
        on(Endpoints.addTag, router) { service, _, input in try await service.addTag(input) }
        on(Endpoints.bucketItems, router) { service, _, input in
            try await service.bucketItems(input)
        }
        on(Endpoints.addBucketItem, router) { service, _, input in
            try await service.addBucketItem(input)
        }
        on(Endpoints.finishBucketItem, router) { service, id, _ in
            try await service.finishBucketItem(id)
        }
    }

    private func addRecords(to router: Router<Context>) {
        on(Endpoints.spaces, router) { service, _, _ in try await service.spaces() }
        on(Endpoints.createSpace, router) { service, _, input in
            try await service.createSpace(input)
        }
        on(Endpoints.schema, router) { service, id, _ in try await service.schema(ofSpace: id) }
        on(Endpoints.changeSchema, router) { service, id, input in
            try await service.changeSchema(ofSpace: id, input)
        }
        on(Endpoints.standing, router) { service, id, input in
            try await service.standing(ofSpace: id, input)
        }
        on(Endpoints.checkSpace, router) { service, id, _ in try await service.checkSpace(id) }
        on(Endpoints.schemas, router) { service, _, _ in try await service.schemas() }
        on(Endpoints.records, router) { service, _, input in try await service.records(input) }
        on(Endpoints.addRecord, router) { service, _, input in
            try await service.addRecord(input)
        }
        on(Endpoints.addRecords, router) { service, _, input in
            try await service.addRecords(input)
        }
        on(Endpoints.record, router) { service, id, input in
            try await service.record(id, input)
        }
        on(Endpoints.changeRecord, router) { service, id, input in
            try await service.changeRecord(id, input)
        }
        on(Endpoints.deleteRecord, router) { service, id, input in
            try await service.deleteRecord(id, input)
        }
        on(Endpoints.restoreRecord, router) { service, id, input in
            try await service.restoreRecord(id, input)
        }
        on(Endpoints.exportRecord, router) { service, id, input in
            try await service.exportRecord(id, input)
        }
    }

    /// Connects one endpoint with one method: reads id and input, calls, writes the answer as JSON.
    private func on<Input, Output>(
        _ endpoint: Endpoint<Input, Output>, _ router: Router<Context>,
        call: @escaping @Sendable (any AgentService, String, Input) async throws -> Output
    ) {
        let service = service
        router.on(RouterPath(endpoint.path), method: endpoint.method) { request, context in
            guard let id = PercentEncoding.decode(context.parameters.get("id") ?? "") else {
                throw APIError.unreadableRequest(detail: "the path is not valid")
            }
            var query: [String: String] = [:]
            for (name, value) in request.uri.queryParameters {
                query[String(name)] = String(value)
            }
            let body = try await request.body.collect(upTo: endpoint.byteLimit)
            let input = try Input.read(query: query, body: Data(body.readableBytesView))
            let output = try await call(service, id, input)
            return Response(status: .ok, json: try JSONCoding.encode(output))
        }
    }
}

extension Response {
    init(status: HTTPResponse.Status, json: Data) {
        self.init(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}
