import Foundation
import Glibc
import LocalAPI

/// Connects to a unix socket, sends `request` and reads until the other side closes; on a thread of
/// its own, because the server needs those of the pool.
func rawExchange(_ path: String, _ request: String) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Result { try blockingExchange(path, request) })
        }
    }
}

private func blockingExchange(_ path: String, _ request: String) throws -> String {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    guard unsafe withAddress(path, { unsafe connect(descriptor, $0, $1) }) == 0 else {
        throw RawSocketError(code: errno)
    }
    let bytes = Array(request.utf8)
    guard unsafe write(descriptor, bytes, bytes.count) == bytes.count else {
        throw RawSocketError(code: errno)
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = unsafe read(descriptor, &buffer, buffer.count)
        guard count > 0 else { break }
        answer += buffer[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
}

/// Gives this answer to the first that asks at a new socket.
func serveOnce(at path: String, _ answer: String) throws -> Task<Void, Never> {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard unsafe withAddress(path, { unsafe bind(descriptor, $0, $1) }) == 0,
        listen(descriptor, 1) == 0
    else { throw RawSocketError(code: errno) }
    return Task.detached {
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                let connection = accept(descriptor, nil, nil)
                var buffer = [UInt8](repeating: 0, count: 4096)
                _ = unsafe read(connection, &buffer, buffer.count)
                let bytes = Array(answer.utf8)
                _ = unsafe write(connection, bytes, bytes.count)
                close(connection)
                close(descriptor)
                done.resume()
            }
        }
    }
}

/// Binds a socket and closes it again without removing its file, as a killed agent does.
func leaveSocket(at path: String) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    return unsafe withAddress(path) { unsafe bind(descriptor, $0, $1) } == 0
}

/// Answers one connection with pieces of text, each sent by itself, after its request has begun to
/// arrive, and then closes it.
func withRawServer<Value: Sendable>(
    answering pieces: [String]?, _ body: (_ socketPath: String) async throws -> Value
) async throws -> Value {
    let directory = try temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/agent.sock"
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    guard unsafe withAddress(path, { unsafe bind(listener, $0, $1) }) == 0,
        listen(listener, 1) == 0
    else { throw RawSocketError(code: errno) }
    guard let pieces else { return try await body(path) }
    Thread.detachNewThread {
        let connection = accept(listener, nil, nil)
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = unsafe read(connection, &buffer, buffer.count)
        for piece in pieces {
            let bytes = Array(piece.utf8)
            _ = unsafe send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            // The other side should receive each by itself.
            sched_yield()
        }
        close(connection)
    }
    return try await body(path)
}

struct RawSocketError: Error {
    let code: Int32
}

private func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32? {
    UnixSocketAddress(path: path).map { unsafe $0.withPointer(body) }
}
