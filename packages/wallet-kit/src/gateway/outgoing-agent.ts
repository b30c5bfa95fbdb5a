import http from "node:http";
import https from "node:https";

/**
 * Maximum milliseconds to connect to one address of a host while another address is left to try.
 *
 * Node's default of 250 is too short for a distant host: Node gives up an address that works. The
 * connection then fails if the last address is a dead IPv6 address. A lost packet alone delays a
 * connection by a second.
 */
const ATTEMPT_TIMEOUT = 2_000;

type OutgoingOptions = https.AgentOptions & {
  /** Read by Node 22.21, 24.5 and later. */
  readonly proxyEnv?: NodeJS.ProcessEnv;
};

/**
 * Creates an agent for requests to another server, which keeps its connections open.
 *
 * It uses the proxy of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` if Node itself does: with
 * `NODE_USE_ENV_PROXY=1` or `--use-env-proxy`.
 */
export function outgoingAgent(isSecure: boolean, options: https.AgentOptions = {}): http.Agent {
  const usesProxy = process.env["NODE_USE_ENV_PROXY"] === "1" || process.execArgv.includes("--use-env-proxy");
  const all: OutgoingOptions = {
    keepAlive: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT,
    ...(usesProxy ? { proxyEnv: process.env } : {}),
    ...options,
  };
  return isSecure ? new https.Agent(all) : new http.Agent(all);
}
