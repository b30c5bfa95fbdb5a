import type { Clock } from "../shared/clock.js";
import type { HttpRequest } from "./request.js";

/** Limits of the concurrent requests of a surface. */
export interface ConcurrencyLimits {
  /**
   * The maximum number of running requests.
   *
   * It must be larger than the number of requests that can wait for a wallet at the same time.
   * Otherwise, if a wallet does not reply, the requests that wait for it take all slots, and reads
   * cannot run.
   */
  readonly maxConcurrent: number;
  /** The maximum number of waiting requests. */
  readonly maxQueued: number;
  /** The longest time that a request waits, in milliseconds. */
  readonly queueTimeoutMs: number;
}

/** Limits the number of concurrent requests. */
export interface ConcurrencyLimiter {
  /**
   * Acquires a slot for a request of `sender`, immediately or after waiting.
   *
   * @returns true if the request may start. It then holds a slot until `release`. False if too many
   *   requests wait, if it has waited too long, or if the client has disconnected. If the result is
   *   false, the caller must not call `release`.
   */
  acquire(sender: string, client: HttpRequest["client"]): boolean | Promise<boolean>;
  /** Releases the slot of a request of `sender` and gives it to the next waiting request. */
  release(sender: string): void;
}

interface Waiter {
  /** The sequence number of the arrival. It orders the waiting requests of different senders. */
  readonly arrival: number;
  readonly settle: (mayStart: boolean) => void;
}

interface Sender {
  running: number;
  /** The waiting requests, oldest first. */
  readonly queue: Waiter[];
}

/**
 * Creates a concurrency limiter.
 *
 * Requests of one sender start in the order of their arrival. Among several senders, the sender
 * with the fewest running requests is next. If two senders have equally few, the sender whose
 * oldest waiting request arrived first is next. If the queue is full, a new request can displace
 * the newest request of the sender with the most waiting requests. The sender of the new request
 * must have at least two fewer waiting requests. No sender can therefore block the others.
 */
export function createConcurrencyLimiter(
  clock: Clock,
  { maxConcurrent, maxQueued, queueTimeoutMs }: ConcurrencyLimits,
): ConcurrencyLimiter {
  const senders = new Map<string, Sender>();
  let running = 0;
  let queueLength = 0;
  let arrivals = 0;

  function senderOf(name: string): Sender {
    const existing = senders.get(name);
    if (existing !== undefined) return existing;
    const sender = { running: 0, queue: [] };
    senders.set(name, sender);
    return sender;
  }

  function removeIdle(name: string): void {
    const sender = senders.get(name);
    if (sender?.running === 0 && sender.queue.length === 0) senders.delete(name);
  }

  function start(sender: Sender): true {
    running += 1;
    sender.running += 1;
    return true;
  }

  /**
   * Returns whether one more request of `sender` can wait.
   *
   * May reject a request of another sender.
   */
  function canQueue(sender: Sender): boolean {
    if (queueLength < maxQueued) return true;
    let longest = sender;
    for (const other of senders.values()) {
      if (other.queue.length > longest.queue.length) longest = other;
    }
    // The other sender must have at least two more waiting requests. Otherwise two senders would
    // only displace each other.
    if (longest.queue.length <= sender.queue.length + 1) return false;
    const newest = longest.queue.pop();
    queueLength -= 1;
    newest?.settle(false);
    return newest !== undefined;
  }

  function wait(name: string, sender: Sender, client: HttpRequest["client"]): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (mayStart: boolean): void => {
        client?.removeEventListener("abort", giveUp);
        resolve(mayStart);
      };
      const waiter: Waiter = { arrival: (arrivals += 1), settle };
      const giveUp = (): void => {
        const place = sender.queue.indexOf(waiter);
        if (place < 0) return;
        sender.queue.splice(place, 1);
        queueLength -= 1;
        removeIdle(name);
        settle(false);
      };
      sender.queue.push(waiter);
      queueLength += 1;
      client?.addEventListener("abort", giveUp);
      void giveUpAfterTimeout(waiter, sender, giveUp);
    });
  }

  async function giveUpAfterTimeout(waiter: Waiter, sender: Sender, giveUp: () => void): Promise<void> {
    const until = clock.now() + queueTimeoutMs;
    for (
      let remaining = queueTimeoutMs;
      remaining > 0 && sender.queue.includes(waiter);
      remaining = until - clock.now()
    ) {
      await clock.sleep(remaining);
    }
    giveUp();
  }

  function next(): Sender | undefined {
    let best: { readonly sender: Sender; readonly arrival: number } | undefined;
    for (const sender of senders.values()) {
      const [first] = sender.queue;
      if (first === undefined) continue;
      const fewer = best === undefined || sender.running < best.sender.running;
      const earlier = best?.sender.running === sender.running && first.arrival < best.arrival;
      if (fewer || earlier) best = { sender, arrival: first.arrival };
    }
    return best?.sender;
  }

  return {
    acquire(name, client) {
      if (client?.aborted === true) return false;
      const sender = senderOf(name);
      if (running < maxConcurrent) return start(sender);
      if (canQueue(sender)) return wait(name, sender, client);
      removeIdle(name);
      return false;
    },
    release(name) {
      const left = senderOf(name);
      left.running -= 1;
      running -= 1;
      const sender = queueLength === 0 ? undefined : next();
      if (sender !== undefined) {
        queueLength -= 1;
        start(sender);
        sender.queue.shift()?.settle(true);
      }
      removeIdle(name);
    },
  };
}
