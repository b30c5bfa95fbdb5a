import type { ContentCoding } from "./compressor.js";
import type { HttpRequest } from "./request.js";

/** The coding that is chosen for a reply. */
export interface ChosenCoding {
  /** The coding that the client prefers. Absent if the reply is sent plain, without a coding. */
  readonly coding?: ContentCoding;
  /** Whether the client refuses a plain reply, for example with `identity;q=0`. */
  readonly isPlainRefused: boolean;
}

/**
 * Chooses the coding of a reply by the `Accept-Encoding` header of its request.
 *
 * The client's weights (`q`) decide. If weights are equal, the first coding of `offers` wins, and
 * any coding wins over a plain reply. A request without the header gets a plain reply. An entry of
 * the header that cannot be parsed is ignored.
 *
 * | `Accept-Encoding`      | coding                      | plain is refused |
 * | ---------------------- | --------------------------- | ---------------- |
 * | `gzip, br`             | the first of `offers`       | no               |
 * | `br;q=0.1, gzip;q=0.2` | `gzip`                      | no               |
 * | `gzip;q=0.5, identity` | none                        | no               |
 * | `*;q=0, gzip`          | `gzip`                      | yes              |
 * | `identity;q=0`         | none: the header names none | yes              |
 *
 * @param offers - the possible codings, the preferred one first.
 * @returns the coding, and whether the client refuses a plain reply.
 * @example
 * ```ts
 * import { chosenCoding, type HttpRequest } from "@tillkit/core/http";
 *
 * declare const request: HttpRequest;
 *
 * const { coding } = chosenCoding(request, ["br", "gzip"]);
 * ```
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding | RFC 9110, 12.5.3}
 */
export function chosenCoding(
  { headers }: Pick<HttpRequest, "headers">,
  offers: readonly ContentCoding[],
): ChosenCoding {
  const header = headers.get("accept-encoding");
  if (header === null) return PLAIN;
  const weights = weightsOf(header);
  const others = weights.get("*");
  const plain = weights.get("identity") ?? others;
  let best: { readonly coding: ContentCoding; readonly weight: number } | undefined;
  for (const coding of offers) {
    const weight = weights.get(coding) ?? others ?? 0;
    if (weight > (best?.weight ?? 0)) best = { coding, weight };
  }
  const isPlainRefused = plain === 0;
  // If the header names neither `identity` nor `*`, a plain reply is acceptable, but each named
  // coding is better.
  return best === undefined || best.weight < (plain ?? 0)
    ? { isPlainRefused }
    : { coding: best.coding, isPlainRefused };
}

const PLAIN: ChosenCoding = { isPlainRefused: false };

const MEMBER = /^([!#$%&'*+.^`|~\w-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const member of header.split(",")) {
    const [, name, weight = "1"] = MEMBER.exec(member.trim()) ?? [];
    if (name !== undefined) weights.set(nameOf(name), Number(weight));
  }
  return weights;
}

/** Names are case-insensitive, and `x-gzip` is an old name of `gzip`. */
function nameOf(text: string): string {
  const name = text.toLowerCase();
  return name === "x-gzip" ? "gzip" : name;
}
