import http from "node:http";
import https from "node:https";
import { urlToHttpOptions } from "node:url";
import type { WalletAccount } from "@tillkit/core";
import { outgoingAgent, parseGatewayUrl } from "@tillkit/wallet-kit";
import { type GatewayHost, type HostSelector, createHostSelector } from "./host-selector.js";

/** Returns the hosts of an account's gateway, or `undefined` for DEV without `gateways.DEV`. */
export type GatewayOf = (account: Pick<WalletAccount, "appEnv">) => HostSelector | undefined;

/** One address, or a list of addresses of one gateway, the preferred one first. */
export type GatewayAddresses = string | readonly string[];

/** Gateway addresses by `appEnv`. */
export interface GatewayOptions {
  /**
   * The addresses of each gateway: https, or http on a loopback address. A base path is allowed.
   *
   * A list contains the hosts of one gateway, the preferred one first. If a host cannot be reached,
   * a call goes to the next one. PROD defaults to WeChat Pay's two hosts,
   * `https://api.mch.weixin.qq.com` and then `https://api2.mch.weixin.qq.com`. DEV has no default,
   * because WeChat Pay has no public sandbox of v3. A DEV account never reaches the PROD gateway:
   * without `gateways.DEV` its calls are rejected.
   */
  readonly gateways?: Partial<Readonly<Record<WalletAccount["appEnv"], GatewayAddresses>>>;
  /**
   * The addresses of the API of mini-programs, which takes the reports of deliveries.
   *
   * Same form as `gateways`. PROD defaults to `https://api.weixin.qq.com` and then
   * `https://api2.weixin.qq.com`. DEV defaults to `gateways.DEV`: the sandbox serves both APIs.
   */
  readonly miniProgramGateways?: Partial<Readonly<Record<WalletAccount["appEnv"], GatewayAddresses>>>;
  /**
   * The agent of all requests, for example one that connects through a proxy.
   *
   * It must have no `maxSockets`. By default the adapter has its own agents. They use the proxy of
   * the environment if Node does (`NODE_USE_ENV_PROXY=1`, Node 22.21, 24.5 and later).
   */
  readonly agent?: http.Agent;
}

/** WeChat Pay's own PROD hosts: the nearest access point, and a fallback at another location. */
const OFFICIAL = ["https://api.mch.weixin.qq.com", "https://api2.mch.weixin.qq.com"] as const;

/** WeChat's own PROD hosts of the API of mini-programs. */
const OFFICIAL_OF_MINI_PROGRAMS = ["https://api.weixin.qq.com", "https://api2.weixin.qq.com"] as const;

/** Opens the gateways of the API of mini-programs. Throws in the cases of {@link openGateways}. */
export function openMiniProgramGateways({
  gateways: { DEV: sandbox } = {},
  miniProgramGateways: { PROD = OFFICIAL_OF_MINI_PROGRAMS, DEV = sandbox } = {},
  agent,
}: GatewayOptions): GatewayOf {
  const gateways = DEV === undefined ? { PROD } : { PROD, DEV };
  return openGateways(agent === undefined ? { gateways } : { gateways, agent });
}

/**
 * Opens the gateways.
 *
 * Throws if a gateway has no address, or an address without a protected connection.
 *
 * @param elapsed - returns the milliseconds of a monotonic clock.
 */
export function openGateways(
  { gateways: { PROD = OFFICIAL, DEV } = {}, agent }: GatewayOptions,
  elapsed: () => number = () => performance.now(),
): GatewayOf {
  const selectorOf = (name: string, addresses: GatewayAddresses) => {
    const hosts = [addresses].flat().map((address) => hostAt(name, address, agent));
    if (hosts.length === 0) throw new Error(`gateways.${name} must have an address.`);
    return createHostSelector(hosts, elapsed);
  };
  const prod = selectorOf("PROD", PROD);
  const dev = DEV === undefined ? undefined : selectorOf("DEV", DEV);
  return ({ appEnv }) => (appEnv === "PROD" ? prod : dev);
}

function hostAt(name: string, address: string, given: http.Agent | undefined): GatewayHost {
  const url = parseGatewayUrl(name, address);
  const isSecure = url.protocol === "https:";
  const { request } = isSecure ? https : http;
  const { hostname, port } = urlToHttpOptions(url);
  return {
    address: { hostname, port },
    basePath: url.pathname.replace(/\/+$/, ""),
    // The agent must have no `maxSockets`. With it, a request could wait for a socket in use. The
    // wait would count as time to connect, and Node would not set `reusedSocket` for the request.
    agent: given ?? outgoingAgent(isSecure),
    request,
    connected: isSecure ? "secureConnect" : "connect",
  };
}
