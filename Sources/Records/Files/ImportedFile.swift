package import SyncCore

/// A photo or other file that was taken in, durably.
package struct ImportedFile: Sendable {
    package let name: String
    /// As it lies in the store.
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

/// What a file says of itself.
package struct FileFacts: Sendable {
    package var mediaType: String
    package var taken: TimeValue?
    package var position: PositionValue?
    /// Of the picture as it is looked at, in pixels.
    package var width: Int?
    package var height: Int?
    package var camera: String?
    /// Where the camera looked, in degrees clockwise from north.
    package var direction: Int?
    /// Why a picture could not be read, in a word for programs; nil when it could, or is none.
    package var problem: String?

    /// A problem that is none of the file: nothing here makes thumbnails of its kind.
    package static let noDecoder = "no_decoder"

    package init(mediaType: String) { self.mediaType = mediaType }
}

/// A GPX track that was taken in, durably.
package struct ImportedTrack: Sendable {
    package let name: String
    /// As it lies in the store.
    package let original: NamedBlob
    /// Bytes of the file itself.
    package let bytes: UInt64
    package var points = 0
    package var lengthMetres: Int64 = 0
    package var start: TimeValue?
    package var end: TimeValue?
    /// Where it begins.
    package var position: PositionValue?

    package init(name: String, original: NamedBlob, bytes: UInt64) {
        (self.name, self.original, self.bytes) = (name, original, bytes)
    }
}
