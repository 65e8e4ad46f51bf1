package import SyncCore

/// A photo or other file that was added, durably.
package struct ImportedFile: Sendable {
    package let name: String
    /// The stored blob.
    package let original: NamedBlob
    /// Bytes of the file itself: fewer than those of the original in an encrypted space.
    package let bytes: UInt64
    package let thumbnail: NamedBlob?
    package let facts: FileFacts

    package init(
        name: String, original: NamedBlob, bytes: UInt64, thumbnail: NamedBlob? = nil,
        facts: FileFacts
    ) {
        (self.name, self.original, self.bytes) = (name, original, bytes)
        (self.thumbnail, self.facts) = (thumbnail, facts)
    }
}

/// Facts that were read from a file.
package struct FileFacts: Sendable {
    package var mediaType: String
    package var taken: TimeValue?
    package var position: PositionValue?
    /// Size of the upright picture, in pixels.
    package var width: Int?
    package var height: Int?
    package var camera: String?
    /// The direction of view, in degrees clockwise from north.
    package var direction: Int?
    /// Why a picture could not be read, as a word for programs; nil when it could, or is not a picture.
    package var problem: String?

    /// Not a fault of the file: this program cannot make thumbnails of its kind.
    package static let noDecoder = "no_decoder"

    package init(mediaType: String) { self.mediaType = mediaType }
}

/// A GPX track that was added, durably.
package struct ImportedTrack: Sendable {
    package let name: String
    /// The stored blob.
    package let original: NamedBlob
    /// Bytes of the file itself.
    package let bytes: UInt64
    package var points = 0
    package var lengthMetres: Int64 = 0
    package var start: TimeValue?
    package var end: TimeValue?
    /// The beginning of the track.
    package var position: PositionValue?

    package init(name: String, original: NamedBlob, bytes: UInt64) {
        (self.name, self.original, self.bytes) = (name, original, bytes)
    }
}
