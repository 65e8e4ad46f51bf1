import Testing
import Transport

extension TransportTests {
    @Suite("A budget of bytes", .timeLimit(.minutes(1)))
    struct ByteBudgetTests {
        @Test("A sender that finds too little left waits in line until enough is returned")
        func waits() async {
            let budget = ByteBudget(limit: 10)
            #expect(await budget.claim(8, owner: 1))
            let order = Seen<Int>()
            let large = Task {
                _ = await budget.claim(9, owner: 2)
                order.append(9)
            }
            try? await Task.sleep(for: .milliseconds(50))
            let small = Task {
                // It would fit, and still waits behind the first one.
                _ = await budget.claim(1, owner: 3)
                order.append(1)
            }
            try? await Task.sleep(for: .milliseconds(50))
            #expect(order.values.isEmpty)
            budget.giveBack(8)
            await large.value
            await small.value
            #expect(budget.used == 10)
        }

        @Test("A claim over the whole budget is granted alone")
        func oversized() async {
            let budget = ByteBudget(limit: 10)
            #expect(await budget.claim(50, owner: 1))
            budget.giveBack(50)
            #expect(budget.used == 0)
        }

        @Test("Cancelling, dismissing and closing end waiting claims and claim nothing")
        func leaving() async {
            let budget = ByteBudget(limit: 10)
            #expect(await budget.claim(10, owner: 1))
            let cancelled = Task { await budget.claim(5, owner: 2) }
            let dismissed = Task { await budget.claim(5, owner: 3) }
            let closed = Task { await budget.claim(5, owner: 4) }
            try? await Task.sleep(for: .milliseconds(50))
            cancelled.cancel()
            #expect(await !cancelled.value)
            budget.dismiss(owner: 3)
            #expect(await !dismissed.value)
            budget.close()
            #expect(await !closed.value)
            #expect(await !budget.claim(1, owner: 5))
            budget.giveBack(10)
            #expect(budget.used == 0)
        }

        @Test("When the first in line leaves, the next that fits is served")
        func nextInLine() async {
            let budget = ByteBudget(limit: 10)
            #expect(await budget.claim(5, owner: 1))
            let large = Task { await budget.claim(10, owner: 2) }
            try? await Task.sleep(for: .milliseconds(50))
            let small = Task { await budget.claim(5, owner: 3) }
            try? await Task.sleep(for: .milliseconds(50))
            large.cancel()
            #expect(await !large.value)
            #expect(await small.value)
            #expect(budget.used == 10)
        }
    }
}
