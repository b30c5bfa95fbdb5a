import type { Ports } from "../ports.js";
import type { CallLimits } from "./wallet.js";

/** Returns the limits of a call that must end by `until`, in epoch milliseconds. */
export function limitsUntil({ clock }: Pick<Ports, "clock">, until: number): CallLimits {
  return { deadline: Math.max(1, until - clock.now()) };
}
