import { BlockList, isIP } from "node:net";
import type { WalletAccount, WalletRejected } from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { err, ok, type Result } from "neverthrow";

/**
 * Returns the customer's IP address, IPv4 or IPv6.
 *
 * WeChat Pay requires it for H5, and for an order with the option `scene_info`.
 */
export type PayerClientIp = (request: PaymentRequest) => string | undefined;

/** Where the adapter gets the customer's address from. */
export interface PayerAddressSource {
  readonly payerClientIp: PayerClientIp;
  /** The name under which callers of the host send the address. */
  readonly payerClientIpName: string;
}

/**
 * Networks that are not part of the public internet.
 *
 * An IPv4-mapped IPv6 address is checked as IPv4.
 */
const NOT_PUBLIC = [
  ["0.0.0.0", 8], // unspecified, "this network"
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // carrier-grade NAT
  ["127.0.0.0", 8], // loopback
  ["169.254.0.0", 16], // link-local
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // special purposes
  ["192.0.2.0", 24], // documentation
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
  ["::", 96], // unspecified, loopback, IPv4-compatible
  ["64:ff9b::", 96], // NAT64: stands for an IPv4 destination, never for a source
  ["64:ff9b:1::", 48], // NAT64 of one network
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4: holds an IPv4 address, which may be private
  ["fc00::", 7], // unique local
  ["fe80::", 10], // link-local
  ["fec0::", 10], // site-local
  ["ff00::", 8], // multicast
] as const;

let notPublic: BlockList | undefined;

/**
 * Returns the customer's IP address in the form that WeChat Pay expects.
 *
 * A PROD account accepts only public addresses. WeChat Pay compares the address with the one from
 * which the customer opens the page, and refuses the payment if they differ. A DEV account accepts
 * any address, so that a sandbox works on one machine. An IPv4-mapped IPv6 address is sent as IPv4.
 * @returns the address. Fails with the reason `payer-address` if it is missing or not accepted. The
 *   failure contains the name under which callers send the address, but not the address.
 */
export function payerAddress(
  { payerClientIp, payerClientIpName }: PayerAddressSource,
  { appEnv }: Pick<WalletAccount, "appEnv">,
  request: PaymentRequest,
): Result<string, WalletRejected> {
  const given = payerClientIp(request) ?? "";
  const problem = problemOf(given, appEnv);
  if (problem === undefined) return ok(withoutMapping(given));
  const what = request.paySource === "H5" ? "H5" : "scene_info";
  const detail =
    `${what} needs the customer's IP address, and ${problem}; ` +
    `callers send it as ${payerClientIpName}, and the host gives it to the adapter in the option payerClientIp; nothing was sent`;
  return err({
    name: "wallet.rejected",
    reason: "payer-address",
    trusted: true,
    parameter: payerClientIpName,
    detail,
  });
}

function problemOf(given: string, appEnv: WalletAccount["appEnv"]): string | undefined {
  if (given === "") return "the request has none";
  const version = isIP(given);
  // A zone, such as `%eth0`, is valid on one machine only.
  if (version === 0 || given.includes("%")) return "the given value is not an IP address";
  if (appEnv === "PROD" && isNotPublic(given, version === 4 ? "ipv4" : "ipv6"))
    return "the given address is not on the public internet, which a PROD account requires";
  return undefined;
}

function isNotPublic(address: string, family: "ipv4" | "ipv6"): boolean {
  notPublic ??= blockListOf(NOT_PUBLIC);
  return notPublic.check(address, family);
}

function blockListOf(networks: typeof NOT_PUBLIC): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks)
    list.addSubnet(network, prefix, network.includes(":") ? "ipv6" : "ipv4");
  return list;
}

function withoutMapping(address: string): string {
  if (isIP(address) === 4) return address;
  // The URL parser normalises every notation of an address.
  const { hostname } = new URL(`http://[${address}]`);
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return address;
  const parts = [high, low].map((part) => Number.parseInt(part, 16));
  return parts.map((part) => `${part >> 8}.${part & 0xff}`).join(".");
}
