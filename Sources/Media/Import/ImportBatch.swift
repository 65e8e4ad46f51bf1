internal import Foundation
internal import SyncCore

/// Inspects files that are added together: see ``MediaImporter/batch(_:)``.
package struct ImportBatch: Sendable {
    private let decoder: PictureDecoder
    private let child: ChildProgram
    private let timeout: Duration

    init(_ decoder: PictureDecoder, _ child: ChildProgram, timeout: Duration) {
        (self.decoder, self.child, self.timeout) = (decoder, child, timeout)
    }

    /// The facts about the file at `path`. For a file that is missing, damaged or not understood they have
    /// a ``MediaFacts/problem``.
    ///
    /// This process determines the kind from the first bytes, so that only pictures which can be decoded
    /// cost a process. The caller bounds the number of calls at once.
    package func inspect(_ path: String) async -> MediaFacts {
        let path = URL(fileURLWithPath: path).path
        var facts: MediaFacts
        let file: OpenFile
        do throws(BlobFilesError) {
            let (opened, beginning) = try await DiskWork.run { () throws(BlobFilesError) in
                let file = try OpenFile.regular(path)
                return (file, try file.read(at: 0, count: MediaKind.beginningBytes))
            }
            let (kind, mediaType) = MediaKind.recognise(beginning)
            facts = MediaFacts(kind: kind, mediaType: mediaType)
            file = opened
        } catch {
            return MediaFacts(
                kind: .other, mediaType: "application/octet-stream",
                problem: .unreadable(number: error.number))
        }
        switch facts.kind {
        case .jpeg: facts.add(await decoder.report(on: file, .read))
        case .heic: facts.add(await readHEIC(path))
        case .png: facts.problem = .noDecoder(format: "PNG")
        case .video: facts.problem = .noDecoder(format: "video")
        case .other: facts.problem = .noDecoder(format: facts.mediaType)
        case .gpx: break
        }
        return facts
    }

    /// libexif cannot read HEIC files; the JPEG from the converter carries their EXIF block.
    private func readHEIC(_ path: String) async -> DecoderReport {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("peersync-\(randomDigits())")
        defer {
            // Only a copy; the system also clears its temporary directory.
            try? FileManager.default.removeItem(at: folder)
        }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        } catch {
            return .failed(.decoderFailed)
        }
        switch await convert(path, to: folder.path + "/picture.jpg") {
        case .ended(0): break
        case .ended(127): return .failed(.noDecoder(format: "HEIC"))
        case .ended: return .failed(.damaged)
        case .failed: return .failed(.decoderFailed)
        case .timedOut: return .failed(.timedOut)
        }
        // For a file with several pictures the converter writes numbered ones.
        let results = ["picture.jpg", "picture-1.jpg"].map { folder.path + "/" + $0 }
        guard let result = results.first(where: FileManager.default.fileExists(atPath:)),
            let picture = try? OpenFile.regular(result)
        else { return .failed(.damaged) }
        // The converter has turned the pixels, but may leave the EXIF orientation unchanged.
        return await decoder.report(on: picture, .readUpright)
    }

    private enum ConverterEnd: Sendable {
        case ended(Int32)
        /// It could not be started, or was killed by a signal.
        case failed
        case timedOut
    }

    private func convert(_ path: String, to output: String) async -> ConverterEnd {
        await withTaskGroup(of: ConverterEnd.self) { group in
            group.addTask {
                await child.convert(path, to: output).map { .ended($0) } ?? .failed
            }
            group.addTask {
                // When the child was faster, this is cancelled, and its result ignored.
                try? await Task.sleep(for: timeout)
                return .timedOut
            }
            let end = await group.next() ?? .failed
            // Cancelling the task that waits for the child kills it.
            group.cancelAll()
            return end
        }
    }
}

extension MediaFacts {
    fileprivate mutating func add(_ report: DecoderReport) {
        pixelSize = report.pixelSize
        takenAt = report.takenAt
        position = report.position
        orientation = report.orientation
        (camera, direction) = (report.camera, report.direction)
        thumbnail = report.thumbnail
        problem = report.problem
    }
}
