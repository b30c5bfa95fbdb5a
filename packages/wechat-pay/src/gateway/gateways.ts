import http from "node:http";
import https from "node:https";
import { urlToHttpOptions } from "node:url";
import type { WalletAccount } from "@tillkit/core";

/** Where calls go, and the connections that are kept open to it. */
export interface Gateway {
  /** Its host and its port. */
  readonly address: Pick<http.RequestOptions, "hostname" | "port">;
  /** What paths begin with, without a trailing slash; empty for the real gateway. */
  readonly basePath: string;
  readonly agent: http.Agent;
  readonly request: typeof http.request;
}

/** The gateway of an account; `undefined` for DEV when the host has none. */
export type GatewayOf = (account: Pick<WalletAccount, "appEnv">) => Gateway | undefined;

/** Addresses of gateways by `appEnv`: https, or http on a loopback address; a base path is allowed. */
export interface GatewayOptions {
  /**
   * PROD is `https://api.mch.weixin.qq.com` when left out; WeChat Pay also answers at `https://api2.mch.weixin.qq.com`. DEV is a stand-in: without one the calls
   * of DEV accounts are rejected, for WeChat Pay has no public sandbox of v3 and DEV never reaches the real gateway.
   */
  readonly gateways?: Partial<Readonly<Record<WalletAccount["appEnv"], string>>>;
}

/** WeChat Pay's own gateway. */
const REAL = "https://api.mch.weixin.qq.com";
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Opens the gateways. Throws when an address is none, or could be listened to: a host should not start so. */
export function openGateways({ gateways: { PROD = REAL, DEV } = {} }: GatewayOptions): GatewayOf {
  const real = gatewayAt("PROD", PROD);
  const sandbox = DEV === undefined ? undefined : gatewayAt("DEV", DEV);
  return ({ appEnv }) => (appEnv === "PROD" ? real : sandbox);
}

function gatewayAt(name: string, text: string): Gateway {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const bare = url !== undefined && url.username + url.password + url.search + url.hash === "";
  const safe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  if (!bare || !safe) {
    const wanted = "an https address, or an http one on this machine, without user, query or fragment";
    throw new Error(`gateways.${name} must be ${wanted}.`);
  }
  const { request, Agent } = url.protocol === "https:" ? https : http;
  const { hostname, port } = urlToHttpOptions(url);
  return {
    address: { hostname, port },
    basePath: url.pathname.replace(/\/+$/, ""),
    agent: new Agent({ keepAlive: true }),
    request,
  };
}
