import type { Example } from "./examples.js";

/** References to the headers of replies, by name. */
const HEADERS = {
  "X-Trace-Id": { $ref: "#/components/headers/TraceId" },
  "Retry-After": { $ref: "#/components/headers/RetryAfter" },
  "RateLimit-Limit": { $ref: "#/components/headers/RateLimitLimit" },
  "RateLimit-Remaining": { $ref: "#/components/headers/RateLimitRemaining" },
  "RateLimit-Reset": { $ref: "#/components/headers/RateLimitReset" },
} as const;

/** The header components of the document. */
export const HEADER_COMPONENTS = {
  TraceId: text("Identifies the request. Quote it when you contact the operator of the service."),
  RetryAfter: text(
    "Seconds after which a retry makes sense. Present if the service is too busy, and with 429.",
  ),
  RateLimitLimit: text("The number of requests per day."),
  RateLimitRemaining: text("The remaining requests of the day."),
  RateLimitReset: text("Seconds until the allowance is reset."),
} as const;

function text(description: string) {
  return { description, schema: { type: "string" } };
}

/** Describes one response of an operation. */
export function response(
  description: string,
  schema: object,
  headers: readonly (keyof typeof HEADERS)[],
  examples: readonly Example[] = [],
) {
  const shown = Object.fromEntries(
    examples.map(({ name, summary, body }) => [name, { summary, value: body }]),
  );
  return {
    description,
    headers: Object.fromEntries(headers.map((name) => [name, HEADERS[name]])),
    content: { "application/json": { schema, ...(examples.length === 0 ? {} : { examples: shown }) } },
  };
}
