/** Longer texts are not addresses. */
const LONGEST_ADDRESS = 64;

/**
 * Returns the key under which requests from one address are counted.
 *
 * All addresses of an IPv6 /64 network have one key, because providers assign whole networks. An
 * IPv4 address has the same key if it is written as an IPv6 address. The key contains no port.
 * Requests without an address share one key.
 *
 * @returns the key. A text that is no address is returned in lower case.
 * @example
 * ```ts
 * import { peerKey } from "@tillkit/core/operators";
 *
 * peerKey("2001:db8:1:2::1"); // "2001:db8:1:2::/64"
 * ```
 */
export function peerKey(address: string | undefined): string {
  if (address === undefined) return "";
  const [bare = ""] = address.slice(0, LONGEST_ADDRESS).trim().toLowerCase().split("%");
  const ipv4 = /^(?:[0:]*:ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/.exec(bare)?.[1];
  if (ipv4 !== undefined) return ipv4;
  const ipv6 = /^\[([^\]]*)\](?::\d+)?$/.exec(bare)?.[1] ?? bare;
  if (!ipv6.includes(":")) return ipv6;
  const groups = groupsOfAddress(ipv6);
  return mappedIpv4(groups) ?? `${groups.slice(0, 4).join(":")}::/64`;
}

/** Returns the IPv4 address that an IPv6 address such as `::ffff:c000:207` stands for. */
function mappedIpv4(groups: readonly string[]): string | undefined {
  if (groups.length !== 8 || groups.slice(0, 6).join(":") !== "0:0:0:0:0:ffff") return undefined;
  const numbers = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return numbers.flatMap((number) => [number >> 8, number & 0xff]).join(".");
}

/** Returns the eight groups of an IPv6 address. */
function groupsOfAddress(address: string): readonly string[] {
  const [before = "", after] = address.split("::");
  const groups = groupsOf(before);
  // "::" stands for as many groups of zeros as are missing from eight.
  const rest = after === undefined ? [] : groupsOf(after);
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => "0");
  return [...groups, ...zeros, ...rest];
}

/** Returns the groups of a part of an address, without leading zeros. */
function groupsOf(part: string): readonly string[] {
  return part === "" ? [] : part.split(":").map((group) => group.replace(/^0+(?=.)/, ""));
}
