import type http from "node:http";

/** One host of a gateway, and its kept-alive connections. */
export interface GatewayHost {
  /** Host and port. */
  readonly address: Pick<http.RequestOptions, "hostname" | "port">;
  /** Prefix of every path, without a trailing slash. Empty for WeChat Pay's own hosts. */
  readonly basePath: string;
  readonly agent: http.Agent;
  readonly request: typeof http.request;
  /** The socket event after which a request can be sent on a new connection. */
  readonly connected: "connect" | "secureConnect";
}

/** Orders the hosts of a gateway for each call. A failed host is the last choice for a time. */
export interface HostSelector {
  /** Returns all hosts, in the order in which one call tries them. */
  inOrder(): readonly GatewayHost[];
  /** Records that a host could not be reached or closed the connection without a response. */
  failed(host: GatewayHost): void;
  /** Records that a host responded. */
  answered(host: GatewayHost): void;
}

/**
 * Time for which a failed host is the last choice, in milliseconds. Then one call tries it again.
 */
const COOLDOWN = 30_000;

/**
 * Creates the order of `hosts`, the preferred one first. Keeps failures in memory only.
 *
 * @param elapsed - returns the milliseconds of a monotonic clock.
 */
export function createHostSelector(hosts: readonly GatewayHost[], elapsed: () => number): HostSelector {
  /** When each failed host may be the first choice again, by `elapsed`. */
  const coolsUntil = new Map<GatewayHost, number>();
  const cool = (host: GatewayHost) => coolsUntil.set(host, elapsed() + COOLDOWN);
  const isReady = (host: GatewayHost) => {
    const until = coolsUntil.get(host);
    if (until === undefined) return true;
    if (elapsed() < until) return false;
    // Only this call tries the host again. For other calls the host stays the last choice.
    cool(host);
    return true;
  };
  return {
    inOrder: () => {
      if (coolsUntil.size === 0) return hosts;
      const ready = hosts.filter(isReady);
      return [...ready, ...hosts.filter((host) => !ready.includes(host))];
    },
    failed: (host) => void cool(host),
    answered: (host) => void coolsUntil.delete(host),
  };
}
