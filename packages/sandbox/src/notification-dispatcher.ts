import type { PayChannel } from "@tillkit/core";
import { errorCode, isError } from "@tillkit/core/errors";
import { FORGERIES, type Forgery, type FaultSettings, faultyWallet, type NotifyFault } from "./faults.js";
import type { Journal } from "./journal.js";
import { afterFailure } from "./notification-repeats.js";
import { pendingNotification, type PendingNotification } from "./pending-notification.js";
import type { SandboxClock } from "./sandbox-clock.js";

/** A notification request: the URL, the headers and the body. Header names are in lower case. */
export interface Delivery {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response of the notified service. */
export interface DeliveryAnswer {
  readonly status: number;
  readonly body: string;
}

/** Posts a notification. Rejects if the connection fails. */
export type Deliver = (delivery: Delivery) => Promise<DeliveryAnswer>;

/** A notification that can be delivered any number of times. */
export interface NotificationMessage {
  readonly payChannel: PayChannel;
  readonly outTradeNo: string;
  readonly about: PendingNotification["about"];
  /**
   * Writes the request for one attempt, with a current time and signature.
   *
   * @param as - the forgery to send instead of a genuine notification, or `null`.
   */
  write(as: Forgery | null): Promise<Delivery>;
  /** Returns whether the wallet accepts the response as an acknowledgement. */
  acknowledged(answer: DeliveryAnswer): boolean;
}

/** The outcome of one delivery attempt. */
export interface Attempt {
  /** Whether the request was sent. `false` only under the fault `drop`. */
  readonly delivered: boolean;
  readonly acknowledged: boolean;
  /** Why there is no acknowledgement. Absent if there is one. */
  readonly why?: string;
}

/** What is known about the acknowledgement of a notification. */
export interface NotificationProgress {
  readonly notified: boolean;
  /** Why there is no acknowledgement. Absent if there is one. */
  readonly why?: string;
  /** Milliseconds of the clock until the next attempt. Absent if there is none. */
  readonly nextAttemptInMs?: number;
}

/** One notification that was sent, for inspection by a person or a test. */
export interface SentNotification {
  /** Epoch milliseconds of the sandbox's clock. */
  readonly at: number;
  readonly payChannel: PayChannel;
  readonly outTradeNo: string;
  readonly about: PendingNotification["about"];
  /** The forgery that was sent, or `null` for a genuine notification. */
  readonly as: Forgery | null;
  /** The HTTP status of the response, or `null` if no response arrived. */
  readonly status: number | null;
  readonly acknowledged: boolean;
}

/** Delivers notifications and retries them on the wallets' schedules. */
export interface NotificationDispatcher {
  /**
   * Stores a notification once, however often it is announced. Makes the first attempt if it is
   * due.
   *
   * Resolves after that attempt, or at once if the attempt is not due yet. A later announcement
   * moves the due time of a notification that has no attempt yet.
   */
  announce(notification: PendingNotification): Promise<void>;
  /** Returns whether the service has acknowledged the notification with this id, or why not. */
  progress(id: string): NotificationProgress;
  /** Delivers a message once, outside any schedule. */
  deliver(message: NotificationMessage, as: Forgery | null): Promise<Attempt>;
  /** Makes every attempt that is due. The attempts of one notification run in sequence. */
  catchUp(): Promise<void>;
  /** The last 1000 notifications that were sent, oldest first. */
  sent(): readonly SentNotification[];
  /** Starts no further attempt and waits for the running ones. */
  close(): Promise<void>;
}

/** The dependencies of a notification dispatcher. */
export interface NotificationDispatcherOptions {
  readonly clock: Pick<SandboxClock, "now" | "onAdvance">;
  readonly journal: Journal;
  readonly faults: Pick<FaultSettings, "takeNotify">;
  readonly deliver: Deliver;
  /** Returns the message to send, or `undefined` if there is nothing to report any more. */
  readonly messageOf: (notification: PendingNotification) => NotificationMessage | undefined;
}

const KIND = "notice";
const DEADLINE = 5_000;
const LATE = 23 * 3_600_000;
const OVERTAKEN = 3_600_000;
const KEPT = 1_000;
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Opens a dispatcher that resumes the pending notifications of the journal.
 *
 * Its schedule follows `clock`, including moves of that clock.
 */
export function createNotificationDispatcher({
  clock,
  journal,
  faults,
  deliver,
  messageOf,
}: NotificationDispatcherOptions): NotificationDispatcher {
  const serviceEvents = new Map(journal.read(KIND, pendingNotification).map((known) => [known.id, known]));
  const underWay = new Map<string, Promise<void>>();
  const overtaken = new Set<string>();
  const loose = new Set<Promise<unknown>>();
  const sent: SentNotification[] = [];
  const lastReasons = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function save(changed: PendingNotification): void {
    // The notification is already sent, so a failed write must not throw. If the line is lost, the
    // wallet sends the notification again.
    journal.note(KIND, changed);
    serviceEvents.set(changed.id, changed);
  }

  /** Returns why the service did not acknowledge the message, or `undefined` if it did. */
  async function post(message: NotificationMessage, as: Forgery | null): Promise<string | undefined> {
    const { payChannel, outTradeNo, about } = message;
    const at = clock.now();
    const answer = await message.write(as).then(deliver).catch(noAnswerText);
    const status = typeof answer === "string" ? null : answer.status;
    // A forgery is not an attempt of the wallet, so its acknowledgement does not count.
    const acknowledged = as === null && typeof answer !== "string" && message.acknowledged(answer);
    sent.push({ at, payChannel, outTradeNo, about, as, status, acknowledged });
    sent.splice(0, sent.length - KEPT);
    if (acknowledged) return undefined;
    if (typeof answer === "string") return answer;
    return as === null
      ? `the answer, with HTTP status ${answer.status}, does not acknowledge it`
      : `it was false (${as}), so its answer does not count`;
  }

  async function send(
    message: NotificationMessage,
    fault: NotifyFault | null,
    as: Forgery | null,
  ): Promise<Attempt> {
    if (fault === "drop")
      return { delivered: false, acknowledged: false, why: "the fault drop keeps it from being sent" };
    const lie = FORGERIES.find((forgery) => forgery === fault) ?? as;
    if (fault === "concurrent") {
      const [one, other] = await Promise.all([post(message, lie), post(message, lie)]);
      return deliveredAttempt(one === undefined ? one : other);
    }
    const first = await post(message, lie);
    const again = fault === "duplicate" ? await post(message, lie) : first;
    return deliveredAttempt(first === undefined ? first : again);
  }

  async function attempt(due: PendingNotification): Promise<void> {
    const message = messageOf(due);
    if (message === undefined) {
      save({ ...due, state: "void" });
      return;
    }
    const fault = faults.takeNotify(faultyWallet(due.payChannel));
    if (!due.putOff && (fault === "late" || fault === "reorder")) {
      if (fault === "reorder") overtaken.add(due.id);
      lastReasons.set(due.id, `the fault ${fault} delays it`);
      save({ ...due, putOff: true, dueAt: clock.now() + (fault === "late" ? LATE : OVERTAKEN) });
      return;
    }
    overtaken.delete(due.id);
    const { delivered, acknowledged, why } = await send(message, fault, null);
    if (why !== undefined) lastReasons.set(due.id, why);
    if (acknowledged) save({ ...due, attempts: due.attempts + 1, state: "acknowledged" });
    else if (delivered) save(afterFailure(due));
    else save({ ...due, state: "over" });
    release(due.payChannel);
  }

  // Makes notifications under the fault `reorder` due as soon as a later one was sent.
  function release(payChannel: PayChannel): void {
    for (const id of overtaken) {
      const known = serviceEvents.get(id);
      if (known?.payChannel !== payChannel) continue;
      overtaken.delete(id);
      save({ ...known, dueAt: clock.now() });
    }
  }

  function attemptOnce(due: PendingNotification): Promise<void> {
    const known = underWay.get(due.id);
    if (known !== undefined) return known;
    const work = attempt(due).finally(() => {
      underWay.delete(due.id);
      arm();
    });
    underWay.set(due.id, work);
    return work;
  }

  function isNews({ id, dueAt }: PendingNotification): boolean {
    const known = serviceEvents.get(id);
    if (known === undefined || known.state === "void") return true;
    const untried = known.state === "waiting" && known.attempts === 0 && !known.putOff;
    return untried && !underWay.has(id) && known.dueAt !== dueAt;
  }

  function waiting(): readonly PendingNotification[] {
    return [...serviceEvents.values()].filter(({ state }) => state === "waiting");
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
    timer = setTimeout(() => void catchUp(), Math.min(Math.max(pause, 0), LONGEST_TIMER_MS));
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
      const known = serviceEvents.get(announced.id) ?? announced;
      const due = known.state === "waiting" && known.attempts === 0 && known.dueAt <= clock.now();
      if (due && !closed) await attemptOnce(known);
    },
    progress: (id) => {
      const known = serviceEvents.get(id);
      if (known?.state === "acknowledged") return { notified: true };
      const why = lastReasons.get(id) ?? "an earlier attempt was not acknowledged";
      return known?.state === "waiting"
        ? { notified: false, why, nextAttemptInMs: Math.max(known.dueAt - clock.now(), 0) }
        : { notified: false, why };
    },
    deliver: async (message, as) => {
      const work = send(message, faults.takeNotify(faultyWallet(message.payChannel)), as);
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

/** Returns the attempt that was made. `why` says why the service did not acknowledge it. */
function deliveredAttempt(why: string | undefined): Attempt {
  return why === undefined
    ? { delivered: true, acknowledged: true }
    : { delivered: true, acknowledged: false, why };
}

function noAnswerText(error: unknown): string {
  return isError(error) && error.message !== "" ? error.message : "no answer";
}

/**
 * Posts over HTTP as the wallets do: without redirects and with a timeout of five seconds.
 *
 * @returns the status and the body of the response. Rejects with the reason and the address if no
 *   response arrives.
 * @example
 * ```ts
 * import { deliverOverHttp, openSandbox } from "@tillkit/sandbox";
 *
 * const sandbox = await openSandbox({ deliver: deliverOverHttp });
 * ```
 */
export const deliverOverHttp: Deliver = async ({ url, headers, body }) => {
  const signal = AbortSignal.timeout(DEADLINE);
  try {
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    return { status: response.status, body: await response.text() };
  } catch (cause) {
    const why = signal.aborted
      ? `no answer within ${DEADLINE / 1_000} s from ${url}`
      : codeOf(cause) === "ECONNREFUSED"
        ? `connection refused by ${url}`
        : `no answer from ${url}${codeOf(cause) === undefined ? "" : ` (${codeOf(cause)})`}`;
    throw new Error(why, { cause });
  }
};

/** Returns the code of the system's error that made a request fail, such as `ECONNREFUSED`. */
function codeOf(error: unknown): string | undefined {
  return isError(error) ? errorCode(error.cause) : undefined;
}
