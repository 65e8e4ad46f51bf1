/// One photo, video or other file of a memory.
package struct MediaView: Codable, Sendable, Equatable {
    package let id: String
    package let shortID: String
    package let memory: Reference
    package let trip: Reference
    /// The name it was imported under; never used as a path.
    package let fileName: String
    /// For example `image/jpeg`.
    package let mediaType: String
    package let bytes: Int64
    /// Hex blob id: the address of its content.
    package let blobID: String
    package let taken: Moment?
    package let position: Position?
    /// Empty for none, and in trips of the first version of the journal.
    package let caption: String
    /// Maker and model; empty when the file does not say so.
    package let camera: String
    package let hasThumbnail: Bool
    /// Bytes of the original that are verified on this device.
    package let bytesHere: Int64
    package let status: RecordStatus

    package init(
        id: String, shortID: String, memory: Reference, trip: Reference, fileName: String,
        mediaType: String, bytes: Int64, blobID: String, taken: Moment?, position: Position?,
        caption: String = "", camera: String = "", hasThumbnail: Bool,
        bytesHere: Int64, status: RecordStatus
    ) {
        (self.id, self.shortID, self.memory, self.trip) = (id, shortID, memory, trip)
        (self.caption, self.camera) = (caption, camera)
        (self.fileName, self.mediaType, self.bytes) = (fileName, mediaType, bytes)
        (self.blobID, self.taken, self.position) = (blobID, taken, position)
        (self.hasThumbnail, self.bytesHere, self.status) = (hasThumbnail, bytesHere, status)
    }
}

/// The GPX track of a memory.
package struct TrackView: Codable, Sendable, Equatable {
    package let id: String
    package let shortID: String
    package let fileName: String
    package let bytes: Int64
    package let blobID: String
    package let points: Int
    /// Metres along the track.
    package let length: Double
    package let start: Moment?
    package let end: Moment?
    package let bytesHere: Int64
    package let status: RecordStatus

    package init(
        id: String, shortID: String, fileName: String, bytes: Int64, blobID: String, points: Int,
        length: Double, start: Moment?, end: Moment?, bytesHere: Int64, status: RecordStatus
    ) {
        (self.id, self.shortID, self.fileName, self.bytes) = (id, shortID, fileName, bytes)
        (self.blobID, self.points, self.length) = (blobID, points, length)
        (self.start, self.end, self.bytesHere, self.status) = (start, end, bytesHere, status)
    }
}

/// Which media to list; conditions combine with "and". Tracks are listed too.
package struct MediaFilter: Codable, Sendable, Hashable {
    /// Name or id prefix.
    package var trip: String?
    /// Title or id prefix.
    package var memory: String?

    package init(trip: String? = nil, memory: String? = nil) {
        (self.trip, self.memory) = (trip, memory)
    }
}

/// Changes to a photo.
package struct MediaChanges: Codable, Sendable, Hashable {
    /// An empty text removes it.
    package var caption: String?
    /// Where it is to stand among the photos of its trip.
    package var place: RecordPlace?

    package init(caption: String? = nil, place: RecordPlace? = nil) {
        (self.caption, self.place) = (caption, place)
    }
}

/// Where an original is written to.
package struct ExportTarget: Codable, Sendable, Hashable {
    /// Absolute: a directory, which gets the file under its own name made safe, or a new file.
    package let path: String

    package init(path: String) { self.path = path }
}

/// A file that was written.
package struct ExportedFile: Codable, Sendable, Equatable {
    /// Absolute.
    package let path: String
    package let bytes: Int64
    /// Hex SHA-256 of its content, as `sha256sum` prints it.
    package let sha256: String

    package init(path: String, bytes: Int64, sha256: String) {
        (self.path, self.bytes, self.sha256) = (path, bytes, sha256)
    }
}
