import type { Example } from "./examples.js";

/** References to the headers of replies, by name. */
const HEADERS = {
  "X-Trace-Id": { $ref: "#/components/headers/TraceId" },
  "Retry-After": { $ref: "#/components/headers/RetryAfter" },
  "RateLimit-Limit": { $ref: "#/components/headers/RateLimitLimit" },
  "RateLimit-Remaining": { $ref: "#/components/headers/RateLimitRemaining" },
  "RateLimit-Reset": { $ref: "#/components/headers/RateLimitReset" },
  "Content-Encoding": { $ref: "#/components/headers/ContentEncoding" },
  Vary: { $ref: "#/components/headers/Vary" },
  ETag: { $ref: "#/components/headers/ETag" },
} as const;

/** The name of a documented header of a reply. */
export type HeaderName = keyof typeof HEADERS;

/** The headers of a reply that may be compressed. */
export const NEGOTIATED = ["Content-Encoding", "Vary"] as const;

/** The header components of the document. */
export const HEADER_COMPONENTS = {
  TraceId: text("Identifies the request. Quote it when you contact the operator of the service."),
  RetryAfter: text(
    "Seconds after which a retry makes sense. Present if the service is too busy, and with 429.",
  ),
  RateLimitLimit: text("The number of requests per day."),
  RateLimitRemaining: text("The remaining requests of the day."),
  RateLimitReset: text("Seconds until the allowance is reset."),
  ContentEncoding: text(
    "`br` or `gzip`, if `Accept-Encoding` of the request allows it and the body has 1 KiB or more.",
  ),
  Vary: text("`accept-encoding`, whether or not the body is compressed."),
  ETag: text("Stands for the data in every coding. Send it in `If-None-Match` of the next request."),
} as const;

/** The parameter components of the document. */
export const PARAMETER_COMPONENTS = {
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    required: false,
    description:
      "The `ETag` of an earlier reply to the same request. If the data is the same, the reply is 304.",
    schema: { type: "string" },
  },
} as const;

/** A reference to the parameter `If-None-Match`. */
export const IF_NONE_MATCH = { $ref: "#/components/parameters/IfNoneMatch" } as const;

/** Describes the 304 of an operation. Its headers are those of a success, without a body. */
export function notModified(description: string, headers: readonly HeaderName[]) {
  return { description, headers: headersNamed(headers) };
}

function headersNamed(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, HEADERS[name]]));
}

function text(description: string) {
  return { description, schema: { type: "string" } };
}

/** Describes one response of an operation. */
export function response(
  description: string,
  schema: object,
  headers: readonly HeaderName[],
  examples: readonly Example[] = [],
) {
  const shown = Object.fromEntries(
    examples.map(({ name, summary, body }) => [name, { summary, value: body }]),
  );
  return {
    description,
    headers: headersNamed(headers),
    content: { "application/json": { schema, ...(examples.length === 0 ? {} : { examples: shown }) } },
  };
}
