import { harmlessErrorCode, isError } from "@tillkit/core/errors";
import { isMissingBill, type Observer, type ServiceEvent } from "@tillkit/core";

/** The maximum number of lines per second for one type of event. Further lines are only counted. */
const LINES_PER_SECOND = 10;
const SECOND = 1_000;

/** The options of {@link stderrObserver}. */
export interface StderrObserverOptions {
  /** Receives each line with its line feed. By default it is written to the standard error. */
  readonly write?: (line: string) => void;
  /** Returns the time, epoch milliseconds. Defaults to the system clock. */
  readonly now?: () => number;
}

/**
 * Creates an observer that writes warnings and alarms to the standard error as JSON lines.
 *
 * Writes nothing about success. Writes at most ten lines a second for each type of event. If lines
 * of a type were left out, its next line has their number as `omitted`. Of an error that a
 * dependency threw, a line contains only the name and the code, because the message may contain
 * personal data.
 *
 * @returns the observer, the default of `createTillkit`.
 * @example
 * ```ts
 * import { stderrObserver } from "@tillkit/runtime";
 *
 * const observer = stderrObserver();
 * ```
 */
export function stderrObserver({
  write = (line) => void process.stderr.write(line),
  now = Date.now,
}: StderrObserverOptions = {}): Observer {
  const seconds = new Map<string, { startedAt: number; lines: number; omitted: number }>();
  return {
    onEvent: (event) => {
      const level = levelOf(event);
      if (level === undefined) return;
      const at = now();
      const known = seconds.get(event.type);
      const isOver = known === undefined || Math.abs(at - known.startedAt) >= SECOND;
      const second = isOver ? { startedAt: at, lines: 0, omitted: known?.omitted ?? 0 } : known;
      seconds.set(event.type, second);
      if (second.lines >= LINES_PER_SECOND) {
        second.omitted += 1;
        return;
      }
      second.lines += 1;
      const omitted = second.omitted === 0 ? {} : { omitted: second.omitted };
      second.omitted = 0;
      const cause = "cause" in event ? { cause: nameAndCode(event.cause) } : {};
      const line = { time: new Date(at).toISOString(), level, ...event, ...cause, ...omitted };
      write(`${JSON.stringify(line)}\n`);
    },
  };
}

/** Returns the level of an event. `undefined` if it needs no attention. */
function levelOf(event: ServiceEvent): "error" | "warn" | undefined {
  switch (event.type) {
    case "order.alarm":
    case "event.parked":
    case "credential.expiring":
    case "clock.off":
    case "alert.not-sent":
    case "storage.misconfigured":
    case "host.not-ready":
    case "notification.failed":
      return "error";
    case "bill.reconciled":
      return event.open > 0 ? "error" : undefined;
    case "bill.not-compared":
      return event.reason === "not-ready" ? undefined : "error";
    case "task.ran":
      return event.failure === undefined ? undefined : "error";
    case "request.answered":
      return event.cause === undefined ? undefined : "error";
    case "event.failed":
    case "notification.refused":
    case "request.refused":
    case "sms.limit-near":
      return "warn";
    case "wallet.called":
      return event.outcome === "ok" || isMissingBill(event) ? undefined : "warn";
    case "sms.called":
      return event.outcome === "ok" ? undefined : "warn";
    default:
      return undefined;
  }
}

/** Returns the name and the code of an error. Leaves out a name or code that may be other text. */
function nameAndCode(cause: unknown): string {
  if (!isError(cause)) return typeof cause;
  const name = SAFE_NAME.test(cause.name) ? cause.name : "Error";
  const code = harmlessErrorCode(cause);
  return code === undefined ? name : `${name} ${code}`;
}

const SAFE_NAME = /^[A-Za-z]{1,40}$/;
