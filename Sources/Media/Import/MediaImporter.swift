internal import Foundation
internal import Glibc
internal import Subprocess
internal import SyncCore
internal import SystemPackage

/// Finds out about local files when they are added, with a decoder child per picture.
package struct MediaImporter: Sendable {
    private let executable: String
    private let timeout: Duration

    /// - Parameters:
    ///   - executable: The program that runs ``DecoderChild`` when asked by its hidden argument.
    ///   - timeout: How long one child may take before it is killed.
    package init(
        executable: String = "/proc/self/exe",
        timeout: Duration = .seconds(Limits.decoderSeconds)
    ) {
        self.executable = executable
        self.timeout = timeout
    }

    /// What the file at `path` is and says. A file that is missing, broken or not understood gives
    /// facts with a ``MediaFacts/problem``.
    ///
    /// Starts up to two processes for the time of the call; who imports many files bounds how many
    /// calls run at once.
    package func inspect(_ path: String) async -> MediaFacts {
        let path = URL(fileURLWithPath: path).path
        var facts: MediaFacts
        do throws(BlobFilesError) {
            let beginning = try await DiskWork.run { () throws(BlobFilesError) in
                try OpenFile.regular(path).read(at: 0, count: MediaKind.beginningBytes)
            }
            let (kind, mediaType) = MediaKind.recognise(beginning)
            facts = MediaFacts(kind: kind, mediaType: mediaType)
        } catch {
            return MediaFacts(
                kind: .other, mediaType: "application/octet-stream",
                problem: .unreadable(number: error.number))
        }
        switch facts.kind {
        case .jpeg: facts.take(await readJPEG(path))
        case .heic: facts.take(await readHEIC(path))
        case .png: facts.problem = .noDecoder(format: "PNG")
        case .video: facts.problem = .noDecoder(format: "video")
        case .other: facts.problem = .noDecoder(format: facts.mediaType)
        case .gpx: break
        }
        return facts
    }

    private func readJPEG(_ path: String, mode: String = "read") async -> DecoderReport {
        switch await runChild([mode, path]) {
        case .ended(0, let output): DecoderReport(decoding: output) ?? .failed(.decoderFailed)
        case .ended, .failed: .failed(.decoderFailed)
        case .timedOut: .failed(.timedOut)
        }
    }

    /// libexif reads nothing from a HEIC file; the JPEG that the converter makes carries its EXIF.
    private func readHEIC(_ path: String) async -> DecoderReport {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("peersync-\(randomDigits())")
        defer {
            // It is only a copy; the system clears its temporary directory.
            try? FileManager.default.removeItem(at: folder)
        }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        } catch {
            return .failed(.decoderFailed)
        }
        switch await runChild(["convert", path, folder.path + "/picture.jpg"]) {
        case .ended(0, _): break
        case .ended(127, _): return .failed(.noDecoder(format: "HEIC"))
        case .ended: return .failed(.damaged)
        case .failed: return .failed(.decoderFailed)
        case .timedOut: return .failed(.timedOut)
        }
        // A file of several pictures gives numbered ones.
        let results = ["picture.jpg", "picture-1.jpg"].map { folder.path + "/" + $0 }
        guard let result = results.first(where: FileManager.default.fileExists(atPath:)) else {
            return .failed(.damaged)
        }
        // The converter has turned the pixels, and may leave the EXIF orientation as it was.
        return await readJPEG(result, mode: "read-upright")
    }

    private enum ChildEnd: Sendable {
        case ended(code: Int32, output: [UInt8])
        /// It could not be started, was killed by a signal, or said more than it may.
        case failed
        case timedOut
    }

    private func runChild(_ words: [String]) async -> ChildEnd {
        await withTaskGroup(of: ChildEnd.self) { group in
            group.addTask { await runUntilEnd(words) }
            group.addTask {
                // Also ends, and then is ignored, when the child was faster and this is cancelled.
                try? await Task.sleep(for: timeout)
                return .timedOut
            }
            let end = await group.next() ?? .failed
            // Cancelling the task that waits for the child kills it.
            group.cancelAll()
            return end
        }
    }

    private func runUntilEnd(_ words: [String]) async -> ChildEnd {
        do {
            let end = try await Subprocess.run(
                .path(FilePath(executable)),
                arguments: Arguments([DecoderChild.argument] + words),
                environment: .custom(MediaImporter.childEnvironment()),
                output: .bytes(limit: DecoderReport.maximumBytes), error: .discarded)
            guard case .exited(let code) = end.terminationStatus else { return .failed }
            return .ended(code: code, output: end.standardOutput)
        } catch {
            return .failed
        }
    }

    /// Only what finding programs and libraries needs: no secret of ours reaches the child.
    private static func childEnvironment() -> [Environment.Key: String] {
        let ours = ProcessInfo.processInfo.environment
        var environment: [Environment.Key: String] = [
            // Each arena of the allocator takes 64 MiB of the child's limited address space.
            "MALLOC_ARENA_MAX": "2",
            // A crash is to end the child at once, not after minutes of looking at its stack.
            "SWIFT_BACKTRACE": "enable=no",
            "PATH": ours["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
        ]
        environment["LD_LIBRARY_PATH"] = ours["LD_LIBRARY_PATH"]
        return environment
    }
}

extension MediaFacts {
    fileprivate mutating func take(_ report: DecoderReport) {
        pixelSize = report.pixelSize
        takenAt = report.takenAt
        position = report.position
        orientation = report.orientation
        thumbnail = report.thumbnail
        problem = report.problem
    }
}

extension DecoderReport {
    fileprivate static func failed(_ problem: MediaProblem) -> DecoderReport {
        var report = DecoderReport()
        report.problem = problem
        return report
    }
}
