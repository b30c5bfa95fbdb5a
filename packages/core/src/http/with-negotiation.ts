import type { Ports } from "../ports.js";
import { chosenCoding } from "./chosen-coding.js";
import { entityTags, isKnownToClient } from "./entity-tag.js";
import type { Admission, HttpReply, HttpRequest, LimitableSurface } from "./request.js";
import { answerAdmission } from "./request.js";

type NegotiationPorts = Pick<Ports, "compressor" | "digest">;

/** A shorter text is sent plain: compression would not reduce the number of network packets. */
const MIN_LENGTH = 1_024;

/**
 * Compresses a reply, or replaces it with 304, as the headers of the request allow.
 *
 * - Only replies that are `negotiable` change: reports of downloads, and the history of orders. A
 *   reply must never be compressed if it contains a secret and a text that an attacker can choose.
 *   Its length would reveal the secret byte by byte (BREACH).
 * - `Accept-Encoding` decides about the coding. A text of less than 1,024 characters is sent plain,
 *   unless the client refuses a plain reply. If the client refuses every form, the reply is sent
 *   plain.
 * - `If-None-Match` with the `ETag` of the reply gives 304. The request still counts for daily
 *   limits, as with 200.
 * - If compression fails, the reply is sent plain.
 *
 * Without `ports.compressor`, nothing is compressed. Compression is part of answering, so a request
 * keeps its slot of the concurrency limiter while its reply is compressed.
 *
 * @returns a surface that owns the same paths.
 * @example
 * ```ts
 * import { metricsSurface, withConcurrencyLimit, withNegotiation } from "@tillkit/core/http";
 *
 * const metrics = withConcurrencyLimit(ports, withNegotiation(ports, metricsSurface(ports)));
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/bindings.md |
 *   Bindings, streamed bodies and compression}
 */
export function withNegotiation(
  ports: NegotiationPorts,
  surface: LimitableSurface<string>,
): LimitableSurface<string | Uint8Array> {
  const negotiator: Negotiator = { compressor: ports.compressor, tagOf: entityTags(ports.digest) };
  const admit = (request: HttpRequest) => negotiating(negotiator, request, surface.admit(request));
  return {
    name: surface.name,
    maxRequestBytes: surface.maxRequestBytes,
    owns: (method, path) => surface.owns(method, path),
    handle: (request) => answerAdmission(admit(request)),
    admit,
  };
}

type Negotiated = Admission<string | Uint8Array>;

/** What the replies of one surface share. */
interface Negotiator {
  readonly compressor: NegotiationPorts["compressor"];
  readonly tagOf: (content: string) => string;
}

function negotiating(negotiator: Negotiator, request: HttpRequest, admission: Admission<string>): Negotiated {
  switch (admission.kind) {
    case "answered":
      return admission;
    case "trusted":
      return trusted(negotiator, request, admission);
    case "untrusted":
      return {
        kind: "untrusted",
        reject: admission.reject,
        authenticate: async () => {
          const result = await admission.authenticate();
          return result.kind === "answered" ? result : trusted(negotiator, request, result);
        },
      };
  }
}

function trusted(
  negotiator: Negotiator,
  request: HttpRequest,
  { sender, reject, answer }: Extract<Admission<string>, { readonly kind: "trusted" }>,
): Extract<Negotiated, { readonly kind: "trusted" }> {
  return {
    kind: "trusted",
    sender,
    reject,
    answer: async (hasWaited) => negotiate(negotiator, request, await answer(hasWaited)),
  };
}

async function negotiate(
  { compressor, tagOf }: Negotiator,
  request: HttpRequest,
  reply: HttpReply<string>,
): Promise<HttpReply<string | Uint8Array>> {
  const { negotiable } = reply;
  if (negotiable === undefined) return reply;
  const { content } = negotiable;
  const etag = content === undefined ? undefined : tagOf(content);
  const headers = { ...reply.headers, vary: "accept-encoding", ...(etag === undefined ? {} : { etag }) };
  const plain = { ...reply, headers };
  if (etag !== undefined && isKnownToClient(request, etag)) return notModified(plain);
  if (compressor === undefined) return plain;
  const { coding, isPlainRefused } = chosenCoding(request, compressor.codings);
  if (coding === undefined || (reply.body.length < MIN_LENGTH && !isPlainRefused)) return plain;
  try {
    const body = await compressor.compress(reply.body, coding, request.client);
    return { ...reply, headers: { ...headers, "content-encoding": coding }, body };
  } catch {
    return plain;
  }
}

/** Creates the 304 reply. It has the headers of the 200 reply except `content-type`. */
function notModified(reply: HttpReply<string>): HttpReply<string> {
  const { "content-type": _type, ...headers } = reply.headers;
  return { ...reply, status: 304, headers, body: "" };
}
