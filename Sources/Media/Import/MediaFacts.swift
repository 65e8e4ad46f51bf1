/// What importing a file found out about it. The file itself syncs even when facts are missing.
package struct MediaFacts: Hashable, Sendable {
    package var kind: MediaKind
    /// The Internet media type, `image/jpeg`; `application/octet-stream` when unknown.
    package var mediaType: String
    /// Size of the stored picture, before ``orientation`` is applied.
    package var pixelSize: PixelSize?
    /// When the picture was taken, by the camera's clock.
    package var takenAt: LocalTime?
    /// Where the picture was taken, by the camera.
    package var position: MediaPosition?
    package var orientation: ImageOrientation?
    /// Maker and model of the camera.
    package var camera: String?
    /// The direction of view, in degrees clockwise from north: 0 to 359.
    package var direction: Int?
    /// An upright JPEG picture without EXIF, longest edge at most ``Limits/thumbnailEdge``. The decoder
    /// child made it; this process only checks it, without decoding.
    package var thumbnail: [UInt8]?
    /// Why facts are missing; nil when all are here that this kind of file can have.
    package var problem: MediaProblem?

    package init(kind: MediaKind, mediaType: String, problem: MediaProblem? = nil) {
        (self.kind, self.mediaType, self.problem) = (kind, mediaType, problem)
    }
}
