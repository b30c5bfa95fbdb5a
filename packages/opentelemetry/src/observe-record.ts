import { type Meter, metrics } from "@opentelemetry/api";
import {
  ALARM_REMEDIES,
  BILL_EXCEPTION_KINDS,
  cachedExpiries,
  OPEN_REFUND_STATUSES,
  type Ports,
  readSharedFigures,
  type RecordFigures,
  type SharedFigures,
  type SharedFiguresPorts,
} from "@tillkit/core";
import { SCOPE } from "./scope.js";

/** The options of {@link observeRecord}. */
export interface RecordOptions {
  /** Defaults to the global meter provider's meter of this package. */
  readonly meter?: Meter;
  /** How long the storage may take, in milliseconds. Defaults to 1,000. */
  readonly timeoutMs?: number;
}

type Attributes = Readonly<Record<string, string>>;

const QUEUES = ["orders", "refunds", "events"] as const;

/**
 * Reports how much stored work waits for a person or for a background task, at each collection.
 *
 * The record is what the storage contains. So every process reports the same values, and they
 * include what a command or an operator caused. One process counts every 15 seconds, and stores the
 * result for the others. Except for missing bill days and credentials, each series exists from the
 * start, with 0. Counts stop at 1,000.
 *
 * If the storage does not answer in time, `tillkit.record.readable` is 0 and the other values are
 * NaN, because an old value would look current.
 *
 * @param ports - ports whose storage has a connection of its own, so that a busy host still
 *   reports.
 * @example
 * ```ts
 * import { observeRecord } from "@tillkit/opentelemetry";
 *
 * observeRecord(ports, { timeoutMs: 500 });
 * ```
 */
export function observeRecord(
  ports: SharedFiguresPorts & Pick<Ports, "payTools" | "wallets">,
  { meter = metrics.getMeter(SCOPE), timeoutMs = 1_000 }: RecordOptions = {},
): void {
  const gauges = [
    openAlarms(meter),
    openRefunds(meter),
    waitingApprovals(meter),
    openExceptions(meter),
    missingDays(meter),
    queues(meter),
    credentials(meter),
  ];
  const readExpiries = cachedExpiries(ports);
  const readable = meter.createObservableGauge("tillkit.record.readable", {
    description: "1 if the last collection could read the record, otherwise 0.",
  });
  const age = meter.createObservableGauge("tillkit.record.age", {
    description: "How long ago a process read the record.",
    unit: "s",
  });
  meter.addBatchObservableCallback(
    async (result) => {
      const read = readSharedFigures(ports, readExpiries).unwrapOr(undefined);
      const shared = await valueWithin(timeoutMs, read);
      const now = ports.clock.now();
      result.observe(readable, shared === undefined ? 0 : 1);
      result.observe(age, shared === undefined ? NaN : Math.max(0, now - shared.at) / 1_000);
      for (const { observe } of gauges) observe(result, shared?.figures, now);
    },
    [readable, age, ...gauges.flatMap(({ instruments }) => instruments)],
  );
}

type Instrument = ReturnType<Meter["createObservableGauge"]>;
type BatchResult = Parameters<Parameters<Meter["addBatchObservableCallback"]>[0]>[0];

/** Gauges, and how they are observed. `figures` is absent if the record cannot be read. */
interface RecordGauges {
  readonly instruments: readonly Instrument[];
  readonly observe: (result: BatchResult, figures: RecordFigures | undefined, now: number) => void;
}

function openAlarms(meter: Meter): RecordGauges {
  const alarms = meter.createObservableGauge("tillkit.alarms.open", {
    description: "Orders with an open alarm, by the type of the newest one, counted up to 1000.",
  });
  const types = [...Object.keys(ALARM_REMEDIES), "OTHER"];
  return {
    instruments: [alarms],
    observe: (result, figures) => {
      for (const event of types) {
        const found = figures?.alarms.filter(({ type }) => (types.includes(type) ? type : "OTHER") === event);
        result.observe(alarms, found?.reduce((sum, { count }) => sum + count, 0) ?? NaN, { event });
      }
    },
  };
}

function openRefunds(meter: Meter): RecordGauges {
  const count = meter.createObservableGauge("tillkit.refunds.open", {
    description: "Refunds that have not ended, counted up to 1000 in each status.",
  });
  const oldest = meter.createObservableGauge("tillkit.refunds.oldest", {
    description: "How long ago the oldest refund of a status was requested.",
    unit: "s",
  });
  return {
    instruments: [count, oldest],
    observe: (result, figures, now) => {
      for (const status of OPEN_REFUND_STATUSES) {
        const found = figures?.refunds.find((one) => one.status === status);
        const none = figures === undefined ? NaN : 0;
        result.observe(count, found?.count ?? none, { status });
        result.observe(oldest, found === undefined ? none : secondsSince(found.oldestAt, now), { status });
      }
    },
  };
}

function waitingApprovals(meter: Meter): RecordGauges {
  const approvals = meter.createObservableGauge("tillkit.approvals.waiting", {
    description: "Refunds that wait for a second operator, counted up to 1000.",
  });
  return {
    instruments: [approvals],
    observe: (result, figures) => result.observe(approvals, figures?.approvals ?? NaN),
  };
}

function openExceptions(meter: Meter): RecordGauges {
  const exceptions = meter.createObservableGauge("tillkit.bill.exceptions.open", {
    description: "Open differences between the wallets' bills and the record, counted up to 1000.",
  });
  return {
    instruments: [exceptions],
    observe: (result, figures) => {
      for (const kind of BILL_EXCEPTION_KINDS) {
        const found = figures?.exceptions.find((one) => one.kind === kind);
        result.observe(exceptions, figures === undefined ? NaN : (found?.count ?? 0), { kind });
      }
    },
  };
}

function missingDays(meter: Meter): RecordGauges {
  const days = meter.createObservableGauge("tillkit.bill.days.missing", {
    description: "Days whose bill should have been compared and was not, by merchant account.",
  });
  const observe = seriesThatEnd(0);
  return {
    instruments: [days],
    observe: (result, figures) =>
      observe(
        (value, attributes) => result.observe(days, value, attributes),
        figures?.missingDays.map(({ payChannel: channel, accountId: account, count }) => ({
          attributes: { channel, account },
          value: count,
        })),
      ),
  };
}

function queues(meter: Meter): RecordGauges {
  const due = meter.createObservableGauge("tillkit.queue.due", {
    description: "Orders, refunds and events that are due, counted up to 1000.",
  });
  const wait = meter.createObservableGauge("tillkit.queue.oldest_wait", {
    description: "How long the oldest due order, refund or event has waited.",
    unit: "s",
  });
  const parked = meter.createObservableGauge("tillkit.events.parked", {
    description: "Deliveries of events that an operator must replay or skip, counted up to 1000.",
  });
  return {
    instruments: [due, wait, parked],
    observe: (result, figures, now) => {
      for (const queue of QUEUES) {
        const { due: count, oldestDueAt = now } = figures?.queues[queue] ?? { due: NaN, oldestDueAt: NaN };
        result.observe(due, count, { queue });
        result.observe(wait, secondsSince(oldestDueAt, now), { queue });
      }
      result.observe(parked, figures?.queues.parkedEvents.due ?? NaN);
    },
  };
}

function credentials(meter: Meter): RecordGauges {
  const expiry = meter.createObservableGauge("tillkit.credential.expiry.timestamp", {
    description: "When the first certificate or key of a kind expires, over all pay tools.",
    unit: "s",
  });
  const observe = seriesThatEnd(NaN);
  return {
    instruments: [expiry],
    observe: (result, figures) =>
      observe(
        (value, attributes) => result.observe(expiry, value, attributes),
        figures?.credentials.map(({ payChannel: channel, name: credential, expiresAt }) => ({
          attributes: { channel, credential },
          value: expiresAt / 1_000,
        })),
      ),
  };
}

/**
 * Returns a function that observes series that can end, such as those of a removed pay tool.
 *
 * The SDK repeats the last value of a series that is not observed. So an ended series gets the
 * value `ended`.
 */
function seriesThatEnd(ended: number) {
  const shown = new Map<string, Attributes>();
  return (
    observe: (value: number, attributes: Attributes) => void,
    series: readonly { readonly attributes: Attributes; readonly value: number }[] | undefined,
  ): void => {
    for (const { attributes } of series ?? []) shown.set(JSON.stringify(attributes), attributes);
    const values = new Map(series?.map(({ attributes, value }) => [JSON.stringify(attributes), value]));
    for (const [key, attributes] of shown)
      observe(values.get(key) ?? (series === undefined ? NaN : ended), attributes);
  };
}

function secondsSince(at: number, now: number): number {
  return Math.max(0, now - at) / 1_000;
}

/** Resolves with `undefined` if the figures are not read within `ms` milliseconds. */
async function valueWithin(
  ms: number,
  read: Promise<SharedFigures | undefined>,
): Promise<SharedFigures | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, ms);
  });
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
}
