import http from "node:http";
import https from "node:https";
import { urlToHttpOptions } from "node:url";
import type { Clock, WalletAccount } from "@tillkit/core";
import { type HostChoice, hostChoice } from "./host-choice.js";

/** One host that calls go to, and the connections that are kept open to it. */
export interface Gateway {
  /** Its host and its port. */
  readonly address: Pick<http.RequestOptions, "hostname" | "port">;
  /** What paths begin with, without a trailing slash; empty for the real gateway. */
  readonly basePath: string;
  readonly agent: http.Agent;
  readonly request: typeof http.request;
  /** The event of a new socket after which a request can be sent on it. */
  readonly connected: "connect" | "secureConnect";
}

/** The hosts of an account's gateway; `undefined` for DEV if the adapter was opened without `gateways.DEV`. */
export type GatewayOf = (account: Pick<WalletAccount, "appEnv">) => HostChoice | undefined;

/** One address, or several of one gateway, the preferred one first. */
export type GatewayAddresses = string | readonly string[];

/** Addresses of gateways by `appEnv`: https, or http on a loopback address; a base path is allowed. */
export interface GatewayOptions {
  /**
   * A list has the addresses of one gateway, the preferred one first: a call goes to the next one if a host cannot be
   * reached. PROD defaults to WeChat Pay's two hosts, `https://api.mch.weixin.qq.com` and then
   * `https://api2.mch.weixin.qq.com`. DEV is a stand-in and has no default: WeChat Pay has no public sandbox of v3, and a
   * DEV account never reaches the real gateway, so its calls are rejected.
   */
  readonly gateways?: Partial<Readonly<Record<WalletAccount["appEnv"], GatewayAddresses>>>;
}

/** WeChat Pay's own hosts: the access point that is nearest, and the one in another place for when that is away. */
const REAL = ["https://api.mch.weixin.qq.com", "https://api2.mch.weixin.qq.com"] as const;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Opens the gateways. Throws if there is no address, or one that others could read or change on the way. */
export function openGateways(
  { gateways: { PROD = REAL, DEV } = {} }: GatewayOptions,
  clock: Pick<Clock, "now">,
): GatewayOf {
  const real = choiceOf("PROD", PROD, clock);
  const sandbox = DEV === undefined ? undefined : choiceOf("DEV", DEV, clock);
  return ({ appEnv }) => (appEnv === "PROD" ? real : sandbox);
}

function choiceOf(name: string, addresses: GatewayAddresses, clock: Pick<Clock, "now">): HostChoice {
  const hosts = [addresses].flat().map((address) => gatewayAt(name, address));
  if (hosts.length === 0) throw new Error(`gateways.${name} must have an address.`);
  return hostChoice(hosts, clock);
}

function gatewayAt(name: string, text: string): Gateway {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const bare = url !== undefined && url.username + url.password + url.search + url.hash === "";
  const safe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  if (!bare || !safe) {
    const wanted = "an https address, or an http one on this machine, without user, query or fragment";
    throw new Error(`gateways.${name} must be ${wanted}.`);
  }
  const isSecure = url.protocol === "https:";
  const { request, Agent } = isSecure ? https : http;
  const { hostname, port } = urlToHttpOptions(url);
  return {
    address: { hostname, port },
    basePath: url.pathname.replace(/\/+$/, ""),
    // The agent must have no `maxSockets`. A request that waits for a socket in use has
    // `reusedSocket` false. An error before it is sent would count as "unreachable", and a POST
    // could go out twice.
    agent: new Agent({ keepAlive: true }),
    request,
    connected: isSecure ? "secureConnect" : "connect",
  };
}
