import { okAsync } from "neverthrow";
import type { DeliveryPorts } from "../events/delivery-ports.js";
import type {
  ClaimedDelivery,
  EventDelivery,
  EventDeliveryStore,
  FailedDelivery,
} from "../events/event-delivery-store.js";
import type { EventPosition } from "../events/order-event.js";
import type { ServiceEvent } from "../events/observer.js";
import type { Order } from "../orders/order.js";
import type { TimelineEntry, TimelineEvent } from "../orders/timeline.js";
import { defaultPolicy } from "../policy.js";
import type { Refund } from "../refunds/refund.js";
import type { CustomerService } from "../services/service-type.js";
import type { StartTimer } from "../events/within-deadline.js";
import { aRefund, anOrder, stub } from "./stubs.js";

const HANDLER = "mailer";

/** Creates the timeline of an order from the types of its events. The first is CREATED. */
export function timelineOf(...entries: readonly TimelineChange[]): readonly TimelineEvent[] {
  const created = { type: "CREATED" } as const;
  return [created, ...entries].map((entry, index) => ({
    at: (index + 1) * 100,
    actor: "wallet",
    reason: "because",
    alarm: false,
    ...entry,
    seq: index + 1,
    previousHash: "",
    hash: "",
  }));
}

/** The type of an entry, and what a test changes in it. */
export type TimelineChange = Pick<TimelineEntry, "type"> & Partial<TimelineEntry>;

/** What a test changes in {@link eventFixture}. */
export interface EventFixtureOptions {
  readonly order?: Order;
  readonly timeline?: readonly TimelineEvent[];
  readonly refunds?: readonly Refund[];
  readonly services?: readonly CustomerService[];
  readonly delivery?: Partial<EventDelivery>;
}

/** Ports with one order, whose events wait for the handler `mailer`, and what they recorded. */
export function eventFixture(options: EventFixtureOptions = {}) {
  const { order = anOrder({ paymentStatus: "PAID" }), refunds = [aRefund()], services = [] } = options;
  const { appId, bizNo } = order;
  const timers: { readonly ms: number; readonly run: () => void }[] = [];
  const state: {
    now: number;
    lost: boolean;
    timeline: readonly TimelineEvent[];
    delivery: EventDelivery | ClaimedDelivery;
  } = {
    now: 1_000,
    lost: false,
    timeline: options.timeline ?? timelineOf({ type: "PAID" }),
    delivery: { handler: HANDLER, appId, bizNo, next: { seq: 1, index: 0 }, lastSeq: 99, tries: 0 },
  };
  state.delivery = { ...state.delivery, dueAt: 0, lastSeq: state.timeline.length, ...options.delivery };
  const advanced: EventPosition[] = [];
  const failures: FailedDelivery[] = [];
  const events: ServiceEvent[] = [];
  const eventDeliveries = stub<EventDeliveryStore>({
    claimDue: (_handler, { id, now, lease }) => {
      state.delivery = { ...state.delivery, claimId: id, until: now + lease };
      return okAsync([{ ...state.delivery, claimId: id, until: now + lease }]);
    },
    advance: (delivery, next, until) => {
      if (state.lost) return okAsync(undefined);
      advanced.push(next);
      const lastSeq = state.timeline.length;
      const { claimId, until: _until, dueAt: _dueAt, ...rest } = { ...delivery, next, lastSeq, tries: 0 };
      state.delivery = next.seq > lastSeq ? rest : { ...rest, claimId, until };
      return okAsync(state.delivery);
    },
    fail: (_delivery, result) => {
      if (!state.lost) failures.push(result);
      return okAsync(!state.lost);
    },
    find: () => okAsync(state.delivery),
    replay: (_key, next) => {
      advanced.push(next);
      return okAsync(!state.lost);
    },
  });
  const ports: DeliveryPorts = {
    eventDeliveries,
    orders: stub({ find: () => okAsync(order), timeline: () => okAsync(state.timeline) }),
    refunds: stub({ list: () => okAsync(refunds) }),
    services: stub({ list: () => okAsync(services) }),
    clock: { now: () => state.now, sleep: async () => undefined },
    random: { bytes: (count) => new Uint8Array(count) },
    observer: { onEvent: (event) => void events.push(event) },
    policy: defaultPolicy,
  };
  const startTimer: StartTimer = (ms, run) => {
    const timer = { ms, run };
    timers.push(timer);
    return () => void timers.splice(timers.indexOf(timer), 1);
  };
  return { ports, state, advanced, failures, events, timers, startTimer };
}
