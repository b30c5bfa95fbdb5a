import type { Clock } from "../shared/clock.js";
import type { HttpRequest } from "./request.js";

/** Limits of the concurrent requests of a surface. */
export interface ConcurrencyLimits {
  /**
   * The maximum number of running requests.
   *
   * It must be larger than the number of calls that can hang at a wallet. Otherwise a wallet that
   * is down blocks reads too.
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
   *   requests wait, if it has waited too long, or if the client has disconnected. The caller must
   *   not call `release` then.
   */
  acquire(sender: string, client: HttpRequest["client"]): boolean | Promise<boolean>;
  /** Releases the slot of a request of `sender` and gives it to the next waiting request. */
  release(sender: string): void;
}

interface Waiter {
  /** The number of the arrival, which orders waiting requests of several senders. */
  readonly arrival: number;
  readonly settle: (mayBegin: boolean) => void;
}

interface Sender {
  inWork: number;
  /** The waiting requests, oldest first. */
  readonly maxQueued: Waiter[];
}

/**
 * Creates a concurrency limiter.
 *
 * Requests of one sender start in the order of their arrival. Among several senders, the sender
 * with the fewest running requests is next, and among equals the one whose request arrived first.
 * If no more requests can wait, the newest request of the sender with the most waiting requests is
 * refused in favour of a sender with fewer. No sender can therefore block the others.
 */
export function createConcurrencyLimiter(
  clock: Clock,
  { maxConcurrent, maxQueued, queueTimeoutMs }: ConcurrencyLimits,
): ConcurrencyLimiter {
  const senders = new Map<string, Sender>();
  let inWork = 0;
  let inLine = 0;
  let arrivals = 0;

  function senderOf(name: string): Sender {
    const stored = senders.get(name) ?? { inWork: 0, maxQueued: [] };
    senders.set(name, stored);
    return stored;
  }

  function forgetIdle(name: string): void {
    const sender = senders.get(name);
    if (sender?.inWork === 0 && sender.maxQueued.length === 0) senders.delete(name);
  }

  function begin(sender: Sender): true {
    inWork += 1;
    sender.inWork += 1;
    return true;
  }

  /** Returns whether one more request of `sender` can wait. May refuse another request for it. */
  function makesRoom(sender: Sender): boolean {
    if (inLine < maxQueued) return true;
    let longest = sender;
    for (const other of senders.values()) {
      if (other.maxQueued.length > longest.maxQueued.length) longest = other;
    }
    // The other sender must have at least two more waiting requests. Otherwise two senders would
    // only displace each other.
    if (longest.maxQueued.length <= sender.maxQueued.length + 1) return false;
    const newest = longest.maxQueued.pop();
    inLine -= 1;
    newest?.settle(false);
    return newest !== undefined;
  }

  function wait(name: string, sender: Sender, client: HttpRequest["client"]): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (mayBegin: boolean): void => {
        client?.removeEventListener("abort", giveUp);
        resolve(mayBegin);
      };
      const waiter: Waiter = { arrival: (arrivals += 1), settle };
      const giveUp = (): void => {
        const place = sender.maxQueued.indexOf(waiter);
        if (place < 0) return;
        sender.maxQueued.splice(place, 1);
        inLine -= 1;
        forgetIdle(name);
        settle(false);
      };
      sender.maxQueued.push(waiter);
      inLine += 1;
      client?.addEventListener("abort", giveUp);
      void giveUpLate(waiter, sender, giveUp);
    });
  }

  async function giveUpLate(waiter: Waiter, sender: Sender, giveUp: () => void): Promise<void> {
    const until = clock.now() + queueTimeoutMs;
    for (
      let left = queueTimeoutMs;
      left > 0 && sender.maxQueued.includes(waiter);
      left = until - clock.now()
    ) {
      await clock.sleep(left);
    }
    giveUp();
  }

  function next(): Sender | undefined {
    let best: { readonly sender: Sender; readonly arrival: number } | undefined;
    for (const sender of senders.values()) {
      const [first] = sender.maxQueued;
      if (first === undefined) continue;
      const fewer = best === undefined || sender.inWork < best.sender.inWork;
      const earlier = best?.sender.inWork === sender.inWork && first.arrival < best.arrival;
      if (fewer || earlier) best = { sender, arrival: first.arrival };
    }
    return best?.sender;
  }

  return {
    acquire(name, client) {
      if (client?.aborted === true) return false;
      const sender = senderOf(name);
      if (inWork < maxConcurrent) return begin(sender);
      if (makesRoom(sender)) return wait(name, sender, client);
      forgetIdle(name);
      return false;
    },
    release(name) {
      const left = senderOf(name);
      left.inWork -= 1;
      inWork -= 1;
      const sender = next();
      if (sender !== undefined) {
        inLine -= 1;
        begin(sender);
        sender.maxQueued.shift()?.settle(true);
      }
      forgetIdle(name);
    },
  };
}
