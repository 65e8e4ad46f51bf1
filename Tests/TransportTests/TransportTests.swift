import Testing

/// One after the other: they measure times and count sockets.
@Suite("Transport", .serialized)
enum TransportTests {}
