import * as z from "zod";
import type { ParameterRule } from "../errors/rule-texts.js";
import { issue } from "./input.js";

/**
 * October 2003, when Alipay began, in epoch milliseconds. WeChat Pay is younger.
 *
 * No payment record can be older. Any time until the year 35 000 is a smaller number in seconds.
 */
const EARLIEST_TIME = Date.UTC(2003, 9, 1);

/**
 * How far a recorded time may be ahead of this machine's clock, in milliseconds.
 *
 * Wallets refuse requests of a machine whose clock differs by more.
 */
const CLOCK_TOLERANCE = 5 * 60_000;

/** Wallets state the time of a payment in whole seconds. */
const SECOND = 1_000;

/**
 * A time that another service recorded, in epoch milliseconds.
 *
 * Other units are recognized by their size, and the rule names them.
 */
export function recordedTime() {
  return z.number(issue("time")).superRefine((value, context) => {
    const rule = timeRule(value);
    if (rule !== undefined) context.addIssue({ code: "custom", message: rule });
  });
}

function timeRule(value: number): ParameterRule | undefined {
  if (value >= EARLIEST_TIME * 1e6) return "time-in-nanoseconds";
  if (value >= EARLIEST_TIME * 1e3) return "time-in-microseconds";
  if (value >= EARLIEST_TIME) return Number.isInteger(value) ? undefined : "time";
  return value >= EARLIEST_TIME / 1e3 ? "time-in-seconds" : "time-too-early";
}

/** Returns whether `time` is before `start`, both in whole seconds. */
export function isBefore(time: number, start: number): boolean {
  return Math.floor(time / SECOND) < Math.floor(start / SECOND);
}

/** Returns whether `time` is later than `end` by more than the tolerance between two clocks. */
export function isAfter(time: number, end: number): boolean {
  return time > end + CLOCK_TOLERANCE;
}
