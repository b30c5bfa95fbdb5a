import { type Order, PAY_CHANNELS, type PayChannel } from "@tillkit/core";
import type { ChoiceSource } from "../choice-source.js";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** How the wallet processes a refund after it has accepted it. */
export interface Course {
  readonly label: string;
  /** Milliseconds from acceptance to the end; `null` for never. */
  readonly takes: number | null;
  readonly ends: "SUCCESS" | "ABNORMAL" | "CLOSED";
  /** What the operator does a day after the refund request. */
  readonly operator?: "applies" | "settles";
}

/** One refund that an operator requests. */
export interface PlannedRefund {
  readonly payChannel: PayChannel;
  readonly bizNo: string;
  readonly refundNo: string;
  /** Cents. */
  readonly amount: number;
  /** Milliseconds after the start of the week. */
  readonly at: number;
  readonly course: Course;
}

/** A temporary fault of a wallet. Times are milliseconds after the start of the week. */
export interface PlannedFault {
  readonly payChannel: PayChannel;
  readonly at: number;
  readonly until: number;
  readonly kind:
    "no-money" | "rate-limit" | "no-answer" | "server-error" | "bad-signature" | "lost-notifications";
}

/** The refunds and the faults of a week. */
export interface WeekPlan {
  readonly refunds: readonly PlannedRefund[];
  readonly faults: readonly PlannedFault[];
}

const QUICK: Course = { label: "done in a minute", takes: MINUTE, ends: "SUCCESS" };
const COURSES: Readonly<Record<PayChannel, readonly Course[]>> = {
  WALLET_A: [
    QUICK,
    { label: "PROCESSING for two days", takes: 2 * DAY, ends: "SUCCESS" },
    { label: "PROCESSING for five days", takes: 5 * DAY, ends: "SUCCESS" },
    { label: "never done", takes: null, ends: "SUCCESS" },
    { label: "CLOSED after three hours", takes: 3 * HOUR, ends: "CLOSED" },
    { label: "ABNORMAL, applied for", takes: HOUR, ends: "ABNORMAL", operator: "applies" },
    { label: "ABNORMAL, paid otherwise", takes: HOUR, ends: "ABNORMAL", operator: "settles" },
    { label: "ABNORMAL, left alone", takes: HOUR, ends: "ABNORMAL" },
  ],
  WALLET_B: [
    QUICK,
    { label: "PROCESSING for two days", takes: 2 * DAY, ends: "SUCCESS" },
    { label: "never done", takes: null, ends: "SUCCESS" },
    { label: "CLOSED after three hours", takes: 3 * HOUR, ends: "CLOSED" },
  ],
};
const WEEK_FAULTS = [
  "rate-limit",
  "no-answer",
  "server-error",
  "bad-signature",
  "lost-notifications",
] as const;

/** The amount of every order of the week, in cents. */
export const ORDER_AMOUNT: Order["amount"] = 600;

/**
 * Plans a week with `refunds` orders at each wallet.
 *
 * Each order is refunded in the first two days, completely or partially. The second part follows on
 * the sixth day at the latest. Each wallet has five faults of one to five hours and a day without
 * money.
 */
export function planWeek(choices: ChoiceSource, refunds: number): WeekPlan {
  return {
    refunds: PAY_CHANNELS.flatMap((payChannel) =>
      Array.from({ length: refunds }, (_, index) => plannedRefunds(choices, payChannel, index)).flat(),
    ),
    faults: PAY_CHANNELS.flatMap((payChannel) => plannedFaults(choices, payChannel)),
  };
}

function plannedRefunds(
  choices: ChoiceSource,
  payChannel: PayChannel,
  index: number,
): readonly PlannedRefund[] {
  const courses = COURSES[payChannel];
  const course = courses[index % courses.length] ?? QUICK;
  const bizNo = `${payChannel}-${String(index)}`;
  const at = HOUR + choices.next(2 * 24 * 60) * MINUTE;
  const first = { payChannel, bizNo, refundNo: "part-1", at, course };
  if (choices.next(2) === 0) return [{ ...first, amount: ORDER_AMOUNT }];
  const later = at + 6 * DAY - (at % MINUTE);
  const second = { ...first, refundNo: "part-2", amount: ORDER_AMOUNT - 250, course: QUICK };
  // The second part succeeds, or is refused because the first part is still in progress.
  return [
    { ...first, amount: 250 },
    { ...second, at: Math.min(later, 6 * DAY) },
  ];
}

function plannedFaults(choices: ChoiceSource, payChannel: PayChannel): readonly PlannedFault[] {
  const lasting = WEEK_FAULTS.map((kind): PlannedFault => {
    const at = choices.next(4 * 24) * HOUR;
    return { payChannel, kind, at, until: at + (1 + choices.next(5)) * HOUR };
  });
  const broke = DAY + choices.next(12) * HOUR;
  return [...lasting, { payChannel, kind: "no-money", at: broke, until: broke + DAY }];
}
