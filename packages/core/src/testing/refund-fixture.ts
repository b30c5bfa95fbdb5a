import { okAsync } from "neverthrow";
import type { TimelineEntry, TimelineEvent } from "../orders/timeline.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import { defaultPolicy, type Policy } from "../policy.js";
import { account as anAccount, anOrder, aRefund, stub } from "./stubs.js";
import { eventSentence } from "../operations/event-sentence.js";
import type { Wallet, WalletFailure, WalletRefund } from "../wallets/wallet.js";
import { applyWalletRefund } from "../refunds/apply-wallet-refund.js";
import { processRefund, refreshRefund } from "../refunds/process-refund.js";
import { isAcceptedRefund, isOpenRefund, type Refund } from "../refunds/refund.js";
import type { SendRefundPorts } from "../refunds/refund-call.js";
import type { RefundTransitionResult, RefundStore } from "../refunds/refund-store.js";

/** The time of the test clock. */
export const NOW = 1_000_000_000_000;
/** `policy.unsignedRefusalDelay` in the test environment. */
export const PERIOD = 600_000;

const order = anOrder({ paymentStatus: "PAID" });
/** The refund that is stored at the start. */
export const requested = aRefund({ nextTryAt: 1, gmtModified: NOW });

/** The wallet did not answer. */
export const LOST: WalletFailure = { name: "wallet.unknown", cause: "timeout", detail: "" };
/** The wallet answered "too many calls". */
export const BUSY: WalletFailure = { name: "wallet.unknown", cause: "rate-limited", detail: "" };
/** A signed refusal. */
export const REFUSED: WalletFailure = {
  name: "wallet.rejected",
  reason: "other",
  trusted: true,
  detail: "not today",
};
/** A signed refusal for lack of funds. */
export const OUT_OF_FUNDS: WalletFailure = { ...REFUSED, reason: "funds", detail: "no money" };
/** An unsigned refusal. */
export const UNTRUSTED: WalletFailure = { ...REFUSED, trusted: false };
/** An unsigned "there is no such refund". */
export const ABSENT: WalletFailure = { ...UNTRUSTED, reason: "absent", detail: "none" };

/** Creates the refund as the wallet states it. */
export function stating(state: WalletRefund["state"], changes: Partial<WalletRefund> = {}): WalletRefund {
  const facts = {
    outTradeNo: "order-1",
    refundNo: "order-1-refund-1",
    merchantId: "merchant-1",
    amount: 200,
  };
  return { state, ...facts, evidence: state, ...changes };
}

/** Changes to the default test environment. */
interface Circumstances {
  /** The refund as it is stored. */
  readonly start?: Refund;
  /** When the wallet first refused the refund without a signature. */
  readonly refusedAt?: number;
  /** Store methods that no longer find the refund. */
  readonly lost?: Partial<RefundStore>;
  /** How long the wallet takes to answer a call of `refund`, in milliseconds. */
  readonly slowness?: number;
  /** How long the process stalls after it claimed the right to send, in milliseconds. */
  readonly stall?: number;
  readonly account?: WalletAccount | undefined;
  readonly policy?: Partial<Policy>;
}

/** Creates a store with one refund and a wallet with these answers, and records the steps. */
export function openRefundFixture(
  answers: Partial<Pick<Wallet, "refund" | "queryRefund" | "applyAbnormalRefund">>,
  circumstances: Circumstances = {},
) {
  const { start = requested, refusedAt, lost = {}, slowness = 0, stall = 0 } = circumstances;
  const account = "account" in circumstances ? circumstances.account : anAccount;
  let stored = start;
  let now = NOW;
  const events: TimelineEvent[] = [];
  const put = (entry: TimelineEntry) => {
    events.push({ ...entry, seq: events.length + 1, previousHash: "", hash: "" });
  };
  const refusal = { type: "REFUND_REFUSED", actor: "wallet", reason: "", alarm: false } as const;
  // Events that must not count: the refusal of another refund, and another event of this refund.
  put({ ...refusal, at: 0, evidence: "refund-0" });
  put({ ...refusal, type: "REFUND_REQUESTED", at: 0, evidence: "refund-1" });
  if (refusedAt !== undefined)
    put({ ...refusal, at: refusedAt, evidence: `refund-1 ${String(start.gmtModified)}` });
  const taken: string[] = [];
  const reported: string[] = [];
  const deadlines: number[] = [];
  const moved = (moves: boolean, changes: Partial<Refund>, entry?: TimelineEntry): RefundTransitionResult => {
    if (moves) stored = { ...stored, ...changes };
    if (moves && entry !== undefined) put(entry);
    return { moved: moves, refund: stored, order };
  };
  const ports: SendRefundPorts = {
    billExceptions: stub({ list: () => okAsync({ items: [] }) }),
    orders: stub({
      find: () => okAsync(order),
      record: (_key, entry) => {
        taken.push(`${entry.alarm ? "alarm" : "note"} ${entry.type}`);
        const known = events.some(({ type, evidence }) => type === entry.type && evidence === entry.evidence);
        if (!known) put(entry);
        return okAsync(!known);
      },
      timeline: () => okAsync(events),
    }),
    refunds: stub({
      markSent: (_key, _refundNo, nextTryAt, entry, sendingUntil) => {
        taken.push(sendingUntil === undefined ? "sent" : "sent with a claim");
        if (sendingUntil !== undefined) now += stall;
        const claim = sendingUntil === undefined ? {} : { sendingUntil };
        const changes = { ...claim, status: "SENT", nextTryAt, gmtModified: entry.at } as const;
        return okAsync(moved(stored.status === "REQUESTED", changes));
      },
      claimSend: (_key, _refundNo, { at, until }) => {
        taken.push("claim");
        now += stall;
        const { status, walletRefundNo, sendingUntil = 0 } = stored;
        const allowed = (status === "SENT" || status === "WAITING_FOR_FUNDS") && walletRefundNo === undefined;
        if (!allowed) return okAsync({ kind: "not-allowed", refund: stored });
        if (sendingUntil > at) return okAsync({ kind: "claimed", refund: stored });
        stored = { ...stored, sendingUntil: until };
        return okAsync({ kind: "granted", refund: stored });
      },
      progress: (_key, _refundNo, { seen, to, nextTryAt, walletRefundNo, entry }) => {
        taken.push(to);
        const fits = stored.status === seen.status && stored.gmtModified === seen.gmtModified;
        const number = walletRefundNo === undefined ? {} : { walletRefundNo };
        const changes = { ...number, status: to, nextTryAt, gmtModified: entry.at };
        return okAsync(moved(fits && isOpenRefund(stored), changes, entry));
      },
      confirm: (_key, _refundNo, { entry, from = stored.status }) => {
        taken.push("confirmed");
        const ended: readonly Refund["status"][] = ["CONFIRMED", "SETTLED"];
        const moves = stored.status === from && !ended.includes(from);
        return okAsync(moved(moves, { status: "CONFIRMED" }, entry));
      },
      settle: (_key, _refundNo, { queriedAt, entry }) => {
        taken.push("settled");
        const { status, sendingUntil = 0 } = stored;
        const isOpen = isOpenRefund(stored);
        if (isOpen && sendingUntil > queriedAt) return okAsync({ kind: "sending", refund: stored, order });
        const moves = isOpen || status === "FAILED" || status === "WITHDRAWN";
        const { moved: done, refund } = moved(moves, { status: "SETTLED" }, entry);
        return okAsync({ kind: done ? ("settled" as const) : ("not-allowed" as const), refund, order });
      },
      reject: (_key, _refundNo, _at, entry, { unlessAccepted = false } = {}) => {
        taken.push("failed");
        const ends = isOpenRefund(stored) && !(unlessAccepted && isAcceptedRefund(stored));
        return okAsync(moved(ends, { status: "FAILED" }, entry));
      },
      adopt: ({ refund }) => {
        taken.push(`adopted ${refund.refundNo} ${String(refund.amount)}`);
        return okAsync({ kind: "adopted", refund, order, isPaidTwice: false });
      },
      list: () => okAsync([{ ...requested, refundNo: "refund-0", status: "FAILED" }, stored]),
      schedule: (_key, _refundNo, nextTryAt, walletRefundNo) => {
        taken.push(`again at ${nextTryAt}`);
        if (walletRefundNo !== undefined) stored = { walletRefundNo, ...stored };
        return okAsync(undefined);
      },
      ...lost,
    }),
    payTools: stub({ getCached: () => account, find: () => okAsync(account) }),
    wallets: {
      WALLET_A: stub({
        refund: (asked, request, limits) => {
          now += slowness;
          taken.push(`wallet ${request.refundNo}`);
          deadlines.push(limits.deadline);
          return answers.refund?.(asked, request, limits) ?? okAsync(stating("CONFIRMED"));
        },
        queryRefund: (asked, request, limits) => {
          taken.push(`book ${request.refundNo}`);
          deadlines.push(limits.deadline);
          return answers.queryRefund?.(asked, request, limits) ?? okAsync(undefined);
        },
        applyAbnormalRefund: (asked, request, payout, limits) => {
          taken.push(`pay out ${request.walletRefundNo} to ${payout.to}`);
          return (
            answers.applyAbnormalRefund?.(asked, request, payout, limits) ?? okAsync(stating("PROCESSING"))
          );
        },
      }),
      WALLET_B: stub({}),
    },
    clock: { now: () => now, sleep: async () => undefined },
    observer: {
      onEvent: (serviceEvent) => {
        if (serviceEvent.type === "refund.moved")
          reported.push(`${serviceEvent.refundNo} ${serviceEvent.to} ${serviceEvent.amount}`);
        else if (serviceEvent.type === "wallet.called")
          reported.push(`${serviceEvent.call} ${serviceEvent.outcome}`);
        else
          reported.push(
            serviceEvent.type === "order.alarm" ? `alarm ${serviceEvent.event}` : serviceEvent.type,
          );
      },
    },
    policy: {
      ...defaultPolicy,
      walletDeadline: 4_000,
      unsignedRefusalDelay: PERIOD,
      ...circumstances.policy,
    },
  };
  return {
    ports,
    /** Continues the refund. If it is REQUESTED, the wallet has no refund with its number yet. */
    pursue: (refund = stored) => processRefund(ports, order, refund, { isUnused: true }),
    /** Continues the refund as the reconciler does. */
    poll: () => processRefund(ports, order, stored),
    refresh: () => refreshRefund(ports, order, start),
    /**
     * Applies a notification, or the answer to a query that began when the refund was as in `seen`.
     */
    apply: (stated: WalletRefund, seen?: Refund) =>
      applyWalletRefund(ports, order, account ?? anAccount, stated, seen),
    /** Changes the stored refund as another process would. */
    change: (changes: Partial<Refund>) => {
      stored = { ...stored, ...changes };
    },
    taken,
    reported,
    deadlines,
    held: () => stored,
    events: () => events,
    lastEvent: () => events.at(-1),
    lastSentence: () =>
      events
        .slice(-1)
        .map((event) => eventSentence(event, order.payChannel, "en"))
        .join(),
  };
}
