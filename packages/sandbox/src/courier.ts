import type { Clock } from "@tillkit/core";

/** A notification on its way: what is posted, and where. Header names are in lower case. */
export interface Delivery {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the notified service answered. */
export interface DeliveryAnswer {
  readonly status: number;
  readonly body: string;
}

/** Posts a notification. It may reject: then nobody was reached. */
export type Deliver = (delivery: Delivery) => Promise<DeliveryAnswer>;

/** A notification that can be delivered any number of times. */
export interface Message {
  /** Writes it down anew, with the time and signature of this attempt. */
  write(): Promise<Delivery>;
  /** Whether the wallet takes the answer for an acknowledgement. */
  acknowledged(answer: DeliveryAnswer): boolean;
  /** Whether the wallet loses the notification, for good. */
  lost(): boolean;
}

/** What came of one attempt. */
export interface Attempt {
  /** Whether it was sent at all. */
  readonly delivered: boolean;
  readonly acknowledged: boolean;
}

/** Carries notifications. */
export interface Courier {
  /** Delivers once and says what came of it; while nobody acknowledges, a few more attempts follow in the background. */
  announce(message: Message): Promise<Attempt>;
  /** Delivers once. */
  deliver(message: Message): Promise<Attempt>;
  /** Announces after a while, in the background. */
  announceLater(message: Message, afterMs: number): void;
  /** Starts no further attempt and waits for those under way. */
  close(): Promise<void>;
}

/** Pauses before the attempts that follow an unacknowledged one, in milliseconds: short, for nobody develops for 24 hours. */
const PAUSES = [200, 1_000, 3_000];
const DEADLINE = 5_000;

/** Opens a courier that pauses with `clock`. */
export function openCourier(clock: Pick<Clock, "sleep">, deliver: Deliver): Courier {
  const underWay = new Set<Promise<unknown>>();
  let close = () => {};
  const closing = new Promise<"closed">((resolve) => {
    close = () => resolve("closed");
  });

  async function attempt(message: Message): Promise<Attempt> {
    if (message.lost()) return { delivered: false, acknowledged: false };
    try {
      const answer = await deliver(await message.write());
      return { delivered: true, acknowledged: message.acknowledged(answer) };
    } catch {
      return { delivered: true, acknowledged: false };
    }
  }

  function track<T>(work: Promise<T>): Promise<T> {
    const done = work.finally(() => underWay.delete(done));
    underWay.add(done);
    return done;
  }

  async function repeat(message: Message): Promise<void> {
    for (const pause of PAUSES) {
      if ((await Promise.race([clock.sleep(pause), closing])) === "closed") return;
      const { delivered, acknowledged } = await attempt(message);
      if (acknowledged || !delivered) return;
    }
  }

  async function announce(message: Message): Promise<Attempt> {
    const first = await attempt(message);
    if (first.delivered && !first.acknowledged) void track(repeat(message));
    return first;
  }

  async function announceAfter(message: Message, afterMs: number): Promise<void> {
    if ((await Promise.race([clock.sleep(afterMs), closing])) === "closed") return;
    await announce(message);
  }

  return {
    announce: (message) => track(announce(message)),
    deliver: (message) => track(attempt(message)),
    announceLater: (message, afterMs) => void track(announceAfter(message, afterMs)),
    close: async () => {
      close();
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** Posts over HTTP, as the wallets do: no redirects, and no more than five seconds. */
export const deliverOverHttp: Deliver = async ({ url, headers, body }) => {
  const signal = AbortSignal.timeout(DEADLINE);
  const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
  return { status: response.status, body: await response.text() };
};
