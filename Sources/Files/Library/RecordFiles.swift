package import Device
package import LocalAPI
import Media
package import Records
package import SyncCore

/// Files for records.
extension MediaLibrary: NodeFiles {
    package var outgoing: [DeviceID: Set<BlobID>] { going.byDevice }
    package var finder: any FileFinding { fileFinder }

    package func findAgain(_ blob: BlobID) async throws -> Bool {
        try await fileFinder.findAgain(blob)
    }

    package func importFiles(
        _ photos: [String], track: String?, into space: SpaceID
    ) async throws -> (photos: [ImportedFile], track: ImportedTrack?) {
        try await told(of: photos.first ?? track ?? "") {
            try await add(photos: photos, track: track, to: space)
        }
    }

    package func encryptFiles(
        _ files: [NamedBlob], in space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob] {
        try await told(of: "") { try await encrypt(files, in: space, meter) }
    }

    package func copyFiles(
        _ files: [NamedBlob], to space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob] {
        try await told(of: "") { try await copy(files, to: space, meter) }
    }

    package func requireRoom(for bytes: UInt64) throws {
        do {
            try files.requireRoom(for: bytes)
        } catch {
            throw Failure.files(path: "", error)
        }
    }

    package func exportFile(
        _ blob: BlobID, suggestedName: String, to path: String
    ) async throws -> ExportedFile {
        do {
            let written = try await export(blob, suggestedName: suggestedName, to: path)
            return ExportedFile(
                path: written.path, bytes: Int64(clamping: written.bytes),
                sha256: hexadecimal(written.sha256.bytes))
        } catch Failure.closed {
            throw FileClosed()
        } catch Failure.notHere {
            throw FileLost()
        }
    }

    // Passes failures on as they are: the caller turns them into sentences, and stops writing after some of
    // them.
    private func told<Answer>(
        of path: String, _ body: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await body()
        } catch let error as BlobFilesError {
            throw Failure.files(path: path, error)
        }
    }
}

extension FileFacts {
    init(_ facts: MediaFacts) {
        self.init(mediaType: facts.mediaType)
        let size = facts.pixelSize.map { size in
            facts.orientation.map { size.upright($0) } ?? size
        }
        width = size?.width
        height = size?.height
        // Without an offset the camera's wall clock is kept as if it were UTC: every device that imports a photo
        // records the same time, and shows it as the camera did.
        taken = facts.takenAt.map {
            TimeValue(
                milliseconds: $0.unixMilliseconds(), offsetMinutes: Int32($0.utcOffsetMinutes ?? 0))
        }
        position = facts.position.map {
            PositionValue(
                latitude: $0.latitude, longitude: $0.longitude, radiusMetres: $0.radiusMetres,
                altitudeMetres: $0.altitudeMetres)
        }
        (camera, direction) = (facts.camera, facts.direction)
        problem = facts.problem?.word
    }
}

extension ImportedTrack {
    init(name: String, original: NamedBlob, bytes: UInt64, _ track: Track) {
        self.init(name: name, original: original, bytes: bytes)
        points = track.pointCount
        lengthMetres = Int64(exactly: track.lengthMetres.rounded()) ?? 0
        start = track.startMilliseconds.map { TimeValue(milliseconds: $0, offsetMinutes: nil) }
        end = track.endMilliseconds.map { TimeValue(milliseconds: $0, offsetMinutes: nil) }
        position = track.segments.first?.first.map {
            PositionValue(
                latitude: $0.latitude, longitude: $0.longitude, altitudeMetres: $0.elevationMetres)
        }
    }
}

extension MediaProblem {
    /// The value in the record: a word for programs, not for people.
    fileprivate var word: String {
        switch self {
        case .unreadable: "unreadable"
        case .noDecoder: FileFacts.noDecoder
        case .tooLarge: "too_large"
        case .damaged: "damaged"
        case .timedOut: "timed_out"
        case .decoderFailed: "decoder_failed"
        }
    }
}
