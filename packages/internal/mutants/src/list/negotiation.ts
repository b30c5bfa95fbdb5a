import type { Mutant } from "../mutant.js";

const SURFACE = "packages/core/src/http/payments/surface.ts";
const METRICS = "packages/core/src/http/metrics/surface.ts";
const METRICS_REPLIES = "packages/core/src/http/metrics/replies.ts";
const LEGACY = "packages/core/src/http/metrics/legacy-reply.ts";
const NEGOTIATION = "packages/core/src/http/with-negotiation.ts";
const CODING = "packages/core/src/http/chosen-coding.ts";
const TAG = "packages/core/src/http/entity-tag.ts";
const VARY = "packages/node/src/with-vary-of-host.ts";
const COMPRESSOR = "packages/runtime/src/node-compressor.ts";
const AT_ONCE = "packages/runtime/src/at-most-at-once.ts";

/** Mutants of the rules about compressed replies, their tags and 304. */
export const NEGOTIATION_MUTANTS: readonly Mutant[] = [
  {
    name: "negotiation-compresses-secrets",
    guards: "an answer with a secret is never compressed",
    file: SURFACE,
    find: "return route.isNegotiable ? {",
    replace: "return route.path !== undefined ? {",
    needsContract: true,
  },
  {
    name: "negotiation-sends-refused-coding",
    guards: "a coding is used only if the client accepts it",
    file: CODING,
    find: "weights.get(coding) ?? others ?? 0",
    replace: "weights.get(coding) ?? others ?? 1",
    needsContract: true,
  },
  {
    name: "negotiation-ignores-weights",
    guards: "the weights of the client decide between the codings",
    file: CODING,
    find: "best = { coding, weight };",
    replace: "best ??= { coding, weight };",
    needsContract: true,
  },
  {
    name: "negotiation-sends-refused-plain",
    guards: "a short body is compressed if the client refuses it plain",
    file: NEGOTIATION,
    find: "reply.body.length < MIN_LENGTH && !isPlainRefused",
    replace: "reply.body.length < MIN_LENGTH",
    needsContract: true,
  },
  {
    name: "negotiation-fails-with-compressor",
    guards: "a reply is sent plain if the compressor fails",
    file: NEGOTIATION,
    find: "  } catch {\n    return plain;",
    replace: "  } catch (error) {\n    throw error;",
  },
  {
    name: "negotiation-legacy-304",
    guards: "the legacy version always answers with 200",
    file: LEGACY,
    find: "{ ...reply, negotiable: {} }",
    replace: "{ ...reply, negotiable }",
    needsContract: true,
  },
  {
    name: "negotiation-tag-with-usage",
    guards: "the tag of a report stands for the counts, not for the usage",
    file: METRICS_REPLIES,
    find: "negotiable: { content: entries }",
    replace: "negotiable: { content: text }",
    needsContract: true,
  },
  {
    name: "negotiation-stale-tag",
    guards: "changed data has another tag",
    file: TAG,
    find: "if (latest?.content !== content)",
    replace: "if (latest === undefined)",
    needsContract: true,
  },
  {
    name: "negotiation-304-for-any-tag",
    guards: "304 only for a tag of the same data",
    file: TAG,
    find: "some(([one]) => one === opaque)",
    replace: "some(([one]) => one !== undefined)",
    needsContract: true,
  },
  {
    name: "negotiation-no-head",
    guards: "HEAD of a report is answered and counted like GET",
    file: METRICS,
    find: 'request.method === "HEAD" ? "GET" : request.method',
    replace: "request.method",
    needsContract: true,
  },
  {
    name: "negotiation-vary-of-host-lost",
    guards: "the Vary of the host stays, so that a cache keeps the origins apart",
    file: VARY,
    find: '`${String(ofHost)}, ${headers["vary"]}`',
    replace: 'headers["vary"]',
  },
  {
    name: "negotiation-character-cut",
    guards: "a character at the border of two slices stays whole",
    file: COMPRESSOR,
    find: "(isCut ? 1 : 0)",
    replace: "(isCut ? 0 : 0)",
  },
  {
    name: "negotiation-compresses-for-nobody",
    guards: "nothing is compressed for a client that has disconnected",
    file: COMPRESSOR,
    find: "if (client?.aborted === true) throw",
    replace: "if (client?.aborted === false) throw",
  },
  {
    name: "negotiation-takes-every-thread",
    guards: "compression leaves threads for other work",
    file: AT_ONCE,
    find: "if (running < count) running += 1;",
    replace: "if (running >= 0) running += 1;",
  },
];
