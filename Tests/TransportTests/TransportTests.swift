import Testing

/// One after another: they measure times and count sockets.
@Suite("Transport", .serialized)
enum TransportTests {}
