import { PAY_CHANNELS, type PayChannel } from "@tillkit/core";
import type { ChoiceSource } from "../choice-source.js";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** How the wallet processes a refund after it has accepted it. */
export interface Course {
  /** Milliseconds from acceptance to the end; `null` until the staff of the wallet ends it. */
  readonly takes: number | null;
  readonly ends: "SUCCESS" | "ABNORMAL" | "CLOSED";
}

/** What people do about a paid order. `at` is milliseconds after the start of the month. */
export type Deed = { readonly at: number } & (
  | {
      /** One operator refunds, or two at the same time. Without `amount`: all that is left. */
      readonly kind: "refund";
      readonly refundNo: string;
      /** The refund number of the second operator: `refundNo` or another one. */
      readonly secondNo?: string;
      readonly amount?: number;
      /** How the wallet processes the refund; `null` for the default of the sandbox. */
      readonly course: Course | null;
    }
  | {
      /** The merchant refunds in the wallet's console. */
      readonly kind: "console";
      readonly amount?: number;
      readonly notify?: boolean;
    }
  | { readonly kind: "finish" | "second-payment" | "sync" }
);

/** One order and everything that happens to it. */
export interface Life {
  readonly payChannel: PayChannel;
  readonly bizNo: string;
  /** Cents. */
  readonly amount: number;
  readonly paySource: "APP" | "NATIVE";
  readonly at: number;
  /** How the order ends before any refund. */
  readonly end: "paid" | "unpaid" | "paid-late" | "closed" | "closed-and-paid";
  /** Cents that a coupon covers. */
  readonly coupon: number;
  /** A fault of the first call, so that the customer asks again. */
  readonly lostAnswer: boolean;
  readonly deeds: readonly Deed[];
}

/** A temporary fault of a wallet. Times are milliseconds after the start of the month. */
export interface PlannedFault {
  readonly payChannel: PayChannel;
  readonly at: number;
  readonly until: number;
  readonly kind: (typeof FAULTS)[number]["kind"];
}

/** The orders, faults and operations of a month. */
export interface MonthPlan {
  readonly lives: readonly Life[];
  readonly faults: readonly PlannedFault[];
  /** When the wallets replace their keys. */
  readonly rotations: readonly { readonly wallet: "A" | "B"; readonly at: number }[];
  /** When a backup is made and when it is restored. */
  readonly restores: readonly { readonly copiedAt: number; readonly at: number }[];
}

/** How many days of the month bring new orders. */
const BUSY_DAYS = 26;
/** How many days a month has. */
export const MONTH_DAYS = 31;

/** How often each fault occurs at each wallet, and how long it lasts at most, in hours. */
const FAULTS = [
  { kind: "outage", times: 2, hours: 30 },
  { kind: "rate-limit", times: 2, hours: 4 },
  { kind: "server-error", times: 2, hours: 5 },
  { kind: "lost-answers", times: 3, hours: 5 },
  { kind: "bad-signature", times: 1, hours: 5 },
  { kind: "half-answers", times: 1, hours: 3 },
  { kind: "lost-notifications", times: 3, hours: 20 },
  { kind: "late-notifications", times: 1, hours: 20 },
  { kind: "double-notifications", times: 2, hours: 20 },
  { kind: "reordered-notifications", times: 1, hours: 20 },
  { kind: "no-money", times: 3, hours: 96 },
  { kind: "unsettled-money", times: 1, hours: 30 },
  { kind: "revoked-key", times: 1, hours: 7 * 24 },
  { kind: "disabled", times: 1, hours: 20 },
  { kind: "bill-late", times: 2, hours: 24 },
  { kind: "bill-unreadable", times: 1, hours: 24 },
  { kind: "bill-foreign", times: 1, hours: 24 },
  { kind: "bill-incomplete", times: 1, hours: 24 },
  { kind: "bill-wrong", times: 1, hours: 24 },
  { kind: "bill-cut", times: 1, hours: 24 },
  { kind: "flow-late", times: 1, hours: 24 },
  { kind: "flow-wrong", times: 1, hours: 24 },
] as const;

const COURSES: Readonly<Record<PayChannel, readonly (Course | null)[]>> = {
  WALLET_A: [
    null,
    null,
    { takes: 3 * DAY, ends: "SUCCESS" },
    { takes: null, ends: "SUCCESS" },
    { takes: 3 * HOUR, ends: "CLOSED" },
    { takes: HOUR, ends: "ABNORMAL" },
  ],
  WALLET_B: [
    null,
    { takes: 2 * MINUTE, ends: "SUCCESS" },
    { takes: 2 * DAY, ends: "SUCCESS" },
    { takes: null, ends: "SUCCESS" },
    { takes: 3 * HOUR, ends: "CLOSED" },
  ],
};
const ENDS = [
  ...Array.from({ length: 12 }, () => "paid" as const),
  "unpaid",
  "paid-late",
  "closed",
  "closed-and-paid",
] as const;

/** Plans a month with `orders` orders at each wallet. */
export function planMonth(choices: ChoiceSource, orders: number): MonthPlan {
  const within = (from: number, until: number) => from + choices.next(Math.max(1, until - from));
  return {
    lives: PAY_CHANNELS.flatMap((payChannel) =>
      Array.from({ length: orders }, (_, index) => plannedLife(choices, payChannel, index)),
    ),
    faults: PAY_CHANNELS.flatMap((payChannel) =>
      FAULTS.flatMap(({ kind, times, hours }) =>
        Array.from({ length: choices.next(times + 1) }, (): PlannedFault => {
          const at = choices.next(BUSY_DAYS * 24) * HOUR;
          return { payChannel, kind, at, until: at + (1 + choices.next(hours)) * HOUR };
        }),
      ),
    ),
    rotations: (["A", "B"] as const).flatMap((wallet) =>
      Array.from({ length: choices.next(3) }, () => ({ wallet, at: within(DAY, BUSY_DAYS * DAY) })),
    ),
    restores: Array.from({ length: choices.next(2) }, () => {
      const at = within(3 * DAY, BUSY_DAYS * DAY);
      return { copiedAt: at - (1 + choices.next(30)) * HOUR, at };
    }),
  };
}

function plannedLife(choices: ChoiceSource, payChannel: PayChannel, index: number): Life {
  const at = choices.next(BUSY_DAYS * 24 * 60) * MINUTE;
  const amount = 2 + choices.next(60_000);
  const end = ENDS[choices.next(ENDS.length)] ?? "paid";
  const isPaid = end === "paid" || end === "paid-late" || end === "closed-and-paid";
  return {
    payChannel,
    bizNo: `${payChannel}-${String(index)}`,
    amount,
    paySource: choices.next(3) === 0 ? "NATIVE" : "APP",
    at,
    end,
    coupon: choices.next(5) === 0 ? choices.next(amount) : 0,
    lostAnswer: choices.next(8) === 0,
    deeds: isPaid && choices.next(5) > 0 ? plannedDeeds(choices, payChannel, amount, at) : [],
  };
}

function plannedDeeds(
  choices: ChoiceSource,
  payChannel: PayChannel,
  amount: number,
  from: number,
): readonly Deed[] {
  const deeds: Deed[] = [];
  let at = from + 4 * HOUR + choices.next(4 * 24 * 60) * MINUTE;
  const part = () => 1 + choices.next(amount - 1);
  const courses = COURSES[payChannel];
  const count = 1 + choices.next(3);
  for (let turn = 0; turn < count; turn += 1) {
    const some = choices.next(2) === 0 ? {} : { amount: part() };
    switch (choices.next(12)) {
      case 0:
      case 1:
      case 2:
        deeds.push({ kind: "console", at, ...some, ...(choices.next(2) === 0 ? {} : { notify: true }) });
        break;
      case 3:
        deeds.push({ kind: "console", at, ...some, notify: false });
        break;
      case 4:
        if (payChannel === "WALLET_B") deeds.push({ kind: "finish", at });
        break;
      case 5:
        deeds.push({ kind: "second-payment", at });
        break;
      case 6:
        deeds.push({ kind: "sync", at });
        break;
      default: {
        const refundNo = `r-${String(turn)}`;
        const second = [{}, {}, {}, { secondNo: refundNo }, { secondNo: `s-${String(turn)}` }];
        deeds.push({
          kind: "refund",
          at,
          refundNo,
          ...second[choices.next(second.length)],
          ...some,
          course: courses[choices.next(courses.length)] ?? null,
        });
      }
    }
    // Sometimes the next deed follows after two minutes, so that two people act on one order.
    at += choices.next(3) === 0 ? 2 * MINUTE : choices.next(3 * 24 * 60) * MINUTE;
  }
  return deeds;
}
