import type { Clock } from "@tillkit/core";
import type { Gateway } from "./gateways.js";

/** Which host of a gateway a call tries first. One that could not be reached is the last choice for a time. */
export interface HostChoice {
  /** All hosts, in the order in which one call tries them. */
  inOrder(): readonly Gateway[];
  /** Notes that a host could not be reached, or gave no answer. */
  failed(host: Gateway): void;
  /** Notes that a host answered. */
  answered(host: Gateway): void;
}

/** How long a host that failed is the last choice, in milliseconds. After it one call tries the host again. */
const REST = 30_000;

/** Chooses among `hosts`, the preferred one first. What is known of them is forgotten with the process. */
export function hostChoice(hosts: readonly Gateway[], clock: Pick<Clock, "now">): HostChoice {
  /** When each host that failed may be tried first again, epoch milliseconds. */
  const restsUntil = new Map<Gateway, number>();
  const rest = (host: Gateway) => restsUntil.set(host, clock.now() + REST);
  const isReady = (host: Gateway) => {
    const until = restsUntil.get(host);
    if (until === undefined) return true;
    const left = until - clock.now();
    // A clock that was set back must not make the rest longer.
    if (0 < left && left <= REST) return false;
    // One call tries the host again, and the others wait for what it finds.
    rest(host);
    return true;
  };
  return {
    inOrder: () => {
      if (restsUntil.size === 0) return hosts;
      const ready = hosts.filter(isReady);
      return [...ready, ...hosts.filter((host) => !ready.includes(host))];
    },
    failed: (host) => void rest(host),
    answered: (host) => void restsUntil.delete(host),
  };
}
