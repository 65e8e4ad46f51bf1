/// A blob that an effective commit of a space names and that the space does not hold here.
package struct BlobNeed: Hashable, Sendable {
    package var blob: BlobID
    package var space: SpaceID
    /// Bytes, as the naming commit says.
    package var size: UInt64
    package var kind: NamedBlobKind

    package init(blob: BlobID, space: SpaceID, size: UInt64, kind: NamedBlobKind) {
        (self.blob, self.space, self.size, self.kind) = (blob, space, size, kind)
    }

    package init(_ named: NamedBlob, in space: SpaceID) {
        self.init(blob: named.blob, space: space, size: named.size, kind: named.kind)
    }

    func moved(to space: SpaceID) -> BlobNeed {
        BlobNeed(blob: blob, space: space, size: size, kind: kind)
    }
}
