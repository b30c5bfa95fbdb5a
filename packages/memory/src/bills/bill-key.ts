import type { Bill } from "@tillkit/core/ports";
import { compareText, compositeKey } from "../state/memory-state.js";

/** Returns the text that identifies a bill. */
export function billKey({ day, payChannel, appEnv, accountId }: Bill): string {
  return compositeKey(day, payChannel, appEnv, accountId);
}

/** Sorts bills by day, channel, environment and account. */
export function compareBills(left: Bill, right: Bill): number {
  return (
    compareText(left.day, right.day) ||
    compareText(left.payChannel, right.payChannel) ||
    compareText(left.appEnv, right.appEnv) ||
    compareText(left.accountId, right.accountId)
  );
}
