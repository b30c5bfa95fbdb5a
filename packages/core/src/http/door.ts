import type { Clock } from "../shared/clock.js";
import type { HttpRequest } from "./request.js";

/** How many requests a surface takes at once. */
export interface Bounds {
  /** Requests in work. Let it be more than the calls that may hang at a wallet, or a wallet that is down keeps reads out, too. */
  readonly atOnce: number;
  /** Requests that wait for their turn behind them. */
  readonly waiting: number;
  /** How long one waits at most, in milliseconds. */
  readonly waitMs: number;
}

/** Lets requests in while there is room. */
export interface Door {
  /**
   * Whether a request of `sender` may begin: at once, or when it has waited. `true` takes a place until `leave`. After `false` there is nothing to
   * leave: too many wait already, it has waited too long, or the client has gone.
   */
  enter(sender: string, client: HttpRequest["client"]): boolean | Promise<boolean>;
  /** Gives the place of a request of `sender` to whoever is next. */
  leave(sender: string): void;
}

interface Waiter {
  /** Counts arrivals, so that the first of several senders can be told. */
  readonly arrival: number;
  readonly settle: (mayBegin: boolean) => void;
}

interface Sender {
  inWork: number;
  /** The oldest first. */
  readonly waiting: Waiter[];
}

/**
 * Opens a door. Requests of one sender begin in the order in which they came. Of several senders the one with the fewest requests in work is next,
 * and among these the first that came. When no more can wait, the newest of the sender with the most waiting makes room for one with fewer: no sender
 * can keep the others out.
 */
export function openDoor(clock: Clock, { atOnce, waiting, waitMs }: Bounds): Door {
  const senders = new Map<string, Sender>();
  let inWork = 0;
  let inLine = 0;
  let arrivals = 0;

  function senderOf(name: string): Sender {
    const held = senders.get(name) ?? { inWork: 0, waiting: [] };
    senders.set(name, held);
    return held;
  }

  function forgetIdle(name: string): void {
    const sender = senders.get(name);
    if (sender?.inWork === 0 && sender.waiting.length === 0) senders.delete(name);
  }

  function begin(sender: Sender): true {
    inWork += 1;
    sender.inWork += 1;
    return true;
  }

  /** Whether there is room for one more of `sender` to wait, if need be because somebody was sent away for it. */
  function makesRoom(sender: Sender): boolean {
    if (inLine < waiting) return true;
    let longest = sender;
    for (const other of senders.values()) {
      if (other.waiting.length > longest.waiting.length) longest = other;
    }
    // One more than the newcomer's would have is the least: otherwise two senders would only take turns in pushing each other out.
    if (longest.waiting.length <= sender.waiting.length + 1) return false;
    const newest = longest.waiting.pop();
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
        const place = sender.waiting.indexOf(waiter);
        if (place < 0) return;
        sender.waiting.splice(place, 1);
        inLine -= 1;
        forgetIdle(name);
        settle(false);
      };
      sender.waiting.push(waiter);
      inLine += 1;
      client?.addEventListener("abort", giveUp);
      void giveUpLate(waiter, sender, giveUp);
    });
  }

  async function giveUpLate(waiter: Waiter, sender: Sender, giveUp: () => void): Promise<void> {
    const until = clock.now() + waitMs;
    for (let left = waitMs; left > 0 && sender.waiting.includes(waiter); left = until - clock.now()) {
      await clock.sleep(left);
    }
    giveUp();
  }

  function next(): Sender | undefined {
    let best: { readonly sender: Sender; readonly arrival: number } | undefined;
    for (const sender of senders.values()) {
      const [first] = sender.waiting;
      if (first === undefined) continue;
      const fewer = best === undefined || sender.inWork < best.sender.inWork;
      const earlier = best?.sender.inWork === sender.inWork && first.arrival < best.arrival;
      if (fewer || earlier) best = { sender, arrival: first.arrival };
    }
    return best?.sender;
  }

  return {
    enter(name, client) {
      if (client?.aborted === true) return false;
      const sender = senderOf(name);
      if (inWork < atOnce) return begin(sender);
      if (makesRoom(sender)) return wait(name, sender, client);
      forgetIdle(name);
      return false;
    },
    leave(name) {
      const left = senderOf(name);
      left.inWork -= 1;
      inWork -= 1;
      const sender = next();
      if (sender !== undefined) {
        inLine -= 1;
        begin(sender);
        sender.waiting.shift()?.settle(true);
      }
      forgetIdle(name);
    },
  };
}
