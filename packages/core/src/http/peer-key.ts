/** Longer texts are not addresses. */
const LONGEST_ADDRESS = 64;

/**
 * Returns the key under which requests from one address share the slots of a surface.
 *
 * All addresses of an IPv6 /64 network have one key, because providers assign whole networks. The
 * key contains no port. Requests without an address share one key.
 */
export function peerKey(address: string | undefined): string {
  if (address === undefined) return "";
  const [bare = ""] = address.slice(0, LONGEST_ADDRESS).trim().toLowerCase().split("%");
  const ipv4 = /^(?:[0:]*:ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/.exec(bare)?.[1];
  if (ipv4 !== undefined) return ipv4;
  const ipv6 = /^\[([^\]]*)\](?::\d+)?$/.exec(bare)?.[1] ?? bare;
  return ipv6.includes(":") ? `${networkOf(ipv6)}::/64` : ipv6;
}

/** Returns the first four groups of an IPv6 address. */
function networkOf(address: string): string {
  const [before = "", after] = address.split("::");
  const groups = groupsOf(before);
  // "::" stands for as many groups of zeros as are missing from eight.
  const rest = after === undefined ? [] : groupsOf(after);
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => "0");
  return [...groups, ...zeros, ...rest].slice(0, 4).join(":");
}

/** Returns the groups of a part of an address, without leading zeros. */
function groupsOf(part: string): readonly string[] {
  return part === "" ? [] : part.split(":").map((group) => group.replace(/^0+(?=.)/, ""));
}
