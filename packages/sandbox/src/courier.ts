import type { PayChannel } from "@tillkit/core";
import { FALSITIES, type Falsity, type FaultBoard, type NotifyFault } from "./faults.js";
import type { Journal } from "./journal.js";
import { afterFailure, notice, type Notice } from "./notice.js";
import type { SandboxClock } from "./sandbox-clock.js";

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
  readonly payChannel: PayChannel;
  readonly outTradeNo: string;
  readonly about: Notice["about"];
  /** Writes it down anew, with the time and signature of this attempt; with a falsity it is not what the wallet would send. */
  write(as: Falsity | null): Promise<Delivery>;
  /** Whether the wallet takes the answer for an acknowledgement. */
  acknowledged(answer: DeliveryAnswer): boolean;
}

/** What came of one attempt. */
export interface Attempt {
  /** Whether it was sent at all. */
  readonly delivered: boolean;
  readonly acknowledged: boolean;
}

/** One notification that was sent, for whoever wants to see what went out. */
export interface SentNotification {
  /** Epoch milliseconds, by the sandbox's clock. */
  readonly at: number;
  readonly payChannel: PayChannel;
  readonly outTradeNo: string;
  readonly about: Notice["about"];
  /** `null` for what the wallet itself would send. */
  readonly as: Falsity | null;
  /** The HTTP status of the answer; `null` when none came. */
  readonly status: number | null;
  readonly acknowledged: boolean;
}

/** Carries notifications. */
export interface Courier {
  /**
   * Takes a notice once, however often it is announced. Resolves after its first attempt, or at once if the attempt is not due yet.
   * A notice without an attempt takes the time of its last announcement.
   */
  announce(notice: Notice): Promise<void>;
  /** Whether the service has acknowledged the notice with this id. */
  acknowledged(id: string): boolean;
  /** Delivers once, beside any schedule. */
  deliver(message: Message, as: Falsity | null): Promise<Attempt>;
  /** Makes every attempt that is due, one repetition after the other. */
  catchUp(): Promise<void>;
  /** What was sent of late, oldest first. */
  sent(): readonly SentNotification[];
  /** Starts no further attempt and waits for those under way. */
  close(): Promise<void>;
}

/** What a courier works with. */
export interface CourierOptions {
  readonly clock: Pick<SandboxClock, "now" | "onAdvance">;
  readonly journal: Journal;
  readonly faults: Pick<FaultBoard, "takeNotify">;
  readonly deliver: Deliver;
  /** What a notice says now; `undefined` when its order is gone. */
  readonly messageOf: (notice: Notice) => Message | undefined;
}

const KIND = "notice";
const DEADLINE = 5_000;
const LATE = 23 * 3_600_000;
const OVERTAKEN = 3_600_000;
const KEPT = 1_000;
const LONGEST_TIMER = 2_147_483_647;

/** Opens a courier that knows what the last one had to tell. Its schedule goes by `clock`, also when that is moved. */
export function openCourier({ clock, journal, faults, deliver, messageOf }: CourierOptions): Courier {
  const notices = new Map(journal.read(KIND, notice).map((known) => [known.id, known]));
  const underWay = new Map<string, Promise<void>>();
  const overtaken = new Set<string>();
  const loose = new Set<Promise<unknown>>();
  const sent: SentNotification[] = [];
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function save(changed: Notice): void {
    // What became of a notification that is out cannot be refused any more. If it is lost, the wallet repeats itself.
    journal.note(KIND, changed);
    notices.set(changed.id, changed);
  }

  async function post(message: Message, as: Falsity | null): Promise<boolean> {
    const { payChannel, outTradeNo, about } = message;
    const at = clock.now();
    const answer = await message
      .write(as)
      .then(deliver)
      .catch(() => undefined);
    // What is false is not what the wallet waits to hear of.
    const acknowledged = as === null && answer !== undefined && message.acknowledged(answer);
    sent.push({ at, payChannel, outTradeNo, about, as, status: answer?.status ?? null, acknowledged });
    sent.splice(0, sent.length - KEPT);
    return acknowledged;
  }

  async function send(message: Message, fault: NotifyFault | null, as: Falsity | null): Promise<Attempt> {
    if (fault === "drop") return { delivered: false, acknowledged: false };
    const lie = FALSITIES.find((falsity) => falsity === fault) ?? as;
    if (fault === "concurrent") {
      const both = await Promise.all([post(message, lie), post(message, lie)]);
      return { delivered: true, acknowledged: both.includes(true) };
    }
    const first = await post(message, lie);
    const again = fault === "duplicate" && (await post(message, lie));
    return { delivered: true, acknowledged: first || again };
  }

  async function attempt(due: Notice): Promise<void> {
    const message = messageOf(due);
    if (message === undefined) {
      save({ ...due, state: "void" });
      return;
    }
    const fault = faults.takeNotify(walletOf(due.payChannel));
    if (!due.putOff && (fault === "late" || fault === "reorder")) {
      if (fault === "reorder") overtaken.add(due.id);
      save({ ...due, putOff: true, dueAt: clock.now() + (fault === "late" ? LATE : OVERTAKEN) });
      return;
    }
    overtaken.delete(due.id);
    const { delivered, acknowledged } = await send(message, fault, null);
    if (acknowledged) save({ ...due, attempts: due.attempts + 1, state: "acknowledged" });
    else if (delivered) save(afterFailure(due));
    else save({ ...due, state: "over" });
    release(due.payChannel);
  }

  // Whoever was overtaken follows at once.
  function release(payChannel: PayChannel): void {
    for (const id of overtaken) {
      const known = notices.get(id);
      if (known?.payChannel !== payChannel) continue;
      overtaken.delete(id);
      save({ ...known, dueAt: clock.now() });
    }
  }

  function attemptOnce(due: Notice): Promise<void> {
    const known = underWay.get(due.id);
    if (known !== undefined) return known;
    const work = attempt(due).finally(() => {
      underWay.delete(due.id);
      arm();
    });
    underWay.set(due.id, work);
    return work;
  }

  function isNews({ id, dueAt }: Notice): boolean {
    const known = notices.get(id);
    if (known === undefined || known.state === "void") return true;
    const untried = known.state === "waiting" && known.attempts === 0 && !known.putOff;
    return untried && !underWay.has(id) && known.dueAt !== dueAt;
  }

  function waiting(): readonly Notice[] {
    return [...notices.values()].filter(({ state }) => state === "waiting");
  }

  async function catchUp(): Promise<void> {
    for (;;) {
      const due = closed ? [] : waiting().filter(({ dueAt }) => dueAt <= clock.now());
      if (due.length === 0) break;
      await Promise.all(due.map(attemptOnce));
    }
    arm();
  }

  function arm(): void {
    clearTimeout(timer);
    const idle = waiting().filter(({ id }) => !underWay.has(id));
    if (closed || idle.length === 0) return;
    const pause = Math.min(...idle.map(({ dueAt }) => dueAt)) - clock.now();
    timer = setTimeout(() => void catchUp(), Math.min(Math.max(pause, 0), LONGEST_TIMER));
    timer.unref();
  }

  const forget = clock.onAdvance(arm);
  arm();

  return {
    announce: async (announced) => {
      if (isNews(announced)) {
        save(announced);
        arm();
      }
      const known = notices.get(announced.id) ?? announced;
      const due = known.state === "waiting" && known.attempts === 0 && known.dueAt <= clock.now();
      if (due && !closed) await attemptOnce(known);
    },
    acknowledged: (id) => notices.get(id)?.state === "acknowledged",
    deliver: async (message, as) => {
      const work = send(message, faults.takeNotify(walletOf(message.payChannel)), as);
      loose.add(work);
      return work.finally(() => loose.delete(work));
    },
    catchUp,
    sent: () => sent,
    close: async () => {
      closed = true;
      forget();
      clearTimeout(timer);
      await Promise.all([...underWay.values(), ...loose]);
    },
  };
}

function walletOf(payChannel: PayChannel): "walletA" | "walletB" {
  return payChannel === "WALLET_A" ? "walletA" : "walletB";
}

/** Posts over HTTP, as the wallets do: no redirects, and no more than five seconds. */
export const deliverOverHttp: Deliver = async ({ url, headers, body }) => {
  const signal = AbortSignal.timeout(DEADLINE);
  const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
  return { status: response.status, body: await response.text() };
};
