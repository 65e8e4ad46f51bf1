import Node
import Store
import SyncCore

/// The engine's loop and its work.
struct EngineLoop {
    let world: World

    func post(_ events: [EngineEvent], to replica: Replica) {
        replica.loop.inbox.append(contentsOf: events)
        guard !replica.loop.isLooping, !replica.loop.inbox.isEmpty else { return }
        replica.loop.isLooping = true
        world.timeline.after(world.random.below(2), .loop(replica.index, boot: replica.boot))
    }

    func loop(_ replica: Replica) {
        replica.loop.isLooping = false
        guard let event = replica.loop.inbox.next() else { return }
        handle(event, replica)
        post([], to: replica)
    }

    func handle(_ event: EngineEvent, _ replica: Replica) {
        world.observer.note(event, replica)
        let actions = replica.loop.engine.handle(event, at: replica.clock.instant)
        if case .tick = event, replica.loop.engine.nextTick(at: replica.clock.instant) == 0 {
            world.report.fail("timers", "\(replica.index) ticks, and is due to tick again at once")
        }
        for action in actions { perform(action, replica) }
        scheduleTick(replica)
    }

    private func scheduleTick(_ replica: Replica) {
        guard let wait = replica.loop.engine.nextTick(at: replica.clock.instant) else { return }
        let due = world.timeline.now + wait + 1
        guard replica.loop.nextTick.isToWait(until: due) else { return }
        world.timeline.add(.tick(replica.index, boot: replica.boot, due: due), at: due)
    }

    func tick(_ replica: Replica, _ due: UInt64) {
        if replica.loop.nextTick.rings(at: due) { post([.tick], to: replica) }
    }

    private func perform(_ action: EngineAction, _ replica: Replica) {
        switch action {
        case .send(let session, let message): world.network.send(message, on: session, replica)
        case .close(let session, let reason): world.network.close(session, reason, replica)
        case .sendBulk(let bulk, let message): world.network.send(message, on: bulk, replica)
        case .closeBulk(let bulk): world.network.close(bulk, replica)
        case .verify: enqueue(action, .verifying, replica)
        case .apply:
            if world.schedule.canary == .acknowledgedTooEarly { acknowledgeEarly(action, replica) }
            enqueue(action, .storing, replica)
        case .acknowledge, .verifyAck, .verifyFork, .ownLogAhead, .reportHoldings,
            .verifyHoldings, .offer:
            enqueue(action, .storing, replica)
        case .load, .loadForks: enqueue(action, .reading, replica)
        case .serve, .prepareBlob, .writeChunk, .storeSmallBlob, .finishBlob, .blobStalled:
            enqueue(action, .files, replica)
        case .seek(let devices): world.calls.learn(.sought(devices), replica)
        case .need(let needed): world.calls.need(.needed(needed), replica)
        case .hurry(let devices): world.calls.need(.hurried(devices), replica)
        case .syncFinished(let request): replica.loop.finishedSyncs.insert(request)
        case .inSync, .declined: break
        }
    }

    private func enqueue(_ action: EngineAction, _ lane: Replica.Lane, _ replica: Replica) {
        replica.loop.lanes[lane, default: []].append(action)
        scheduleWork(lane, replica)
    }

    private func scheduleWork(_ lane: Replica.Lane, _ replica: Replica) {
        guard replica.loop.lanes[lane]?.isEmpty == false, replica.loop.busy.insert(lane).inserted
        else {
            return
        }
        // Sometimes a disk or a processor has other work.
        let wait = world.random.chance(4) ? world.random.below(400) : world.random.below(4)
        world.timeline.after(wait, .work(replica.index, boot: replica.boot, lane))
    }

    func work(_ lane: Replica.Lane, _ replica: Replica) {
        replica.loop.busy.remove(lane)
        guard let action = replica.loop.lanes[lane]?.next() else { return }
        carryOut(action, replica)
        if replica.isUp { scheduleWork(lane, replica) }
    }

    private func carryOut(_ action: EngineAction, _ replica: Replica) {
        guard let work = replica.work else { return }
        let action = world.schedule.canary.map { $0.spoil(action, replica) } ?? action
        world.observer.note(action, replica)
        guard let done = work.perform(action) else {
            return world.files.carryOut(action, replica)
        }
        if case .offer(let space, _, let device) = action {
            world.people.scheduleAnswer(space, offeredBy: device, replica)
        }
        finish(done, replica)
        guard done.closesSession, replica.isUp else { return }
        switch action {
        case .apply(_, _, _, let session), .load(let session, _, _, _),
            .loadForks(let session, _, _), .verifyFork(_, _, let session):
            world.network.close(session, .shutdown, replica)
        default: break
        }
    }

    /// Processes the result of work, as the agent does; own writes reach the engine late.
    func finish(_ done: EngineWork.Done, _ replica: Replica, isLate: Bool = false) {
        for event in done.events { world.observer.observe(event, replica) }
        for failure in done.failures where failure.isWriting {
            world.machines.couldNotWrite(failure.what, failure.error, replica)
        }
        guard replica.isUp else { return }
        if isLate {
            world.timeline.after(
                world.random.below(4), .post(replica.index, boot: replica.boot, done.events))
        } else {
            post(done.events, to: replica)
        }
        for event in done.news { world.nodes.tell(event, replica) }
        if let space = done.membershipChanged, replica.store?.spaces.standing(of: space) == .offered
        {
            // A space that was left, and granted again.
            world.people.scheduleAnswer(space, replica)
        }
        if let next = done.next { perform(next, replica) }
    }
}

extension World {
    var engines: EngineLoop { EngineLoop(world: self) }
}
