import type { Ports } from "../ports.js";
import type { CallLimits } from "./wallet.js";

/** Returns the limits of one of several calls that must end `until`, epoch milliseconds. */
export function limitsUntil({ clock }: Pick<Ports, "clock">, until: number): CallLimits {
  return { deadline: Math.max(1, until - clock.now()) };
}
