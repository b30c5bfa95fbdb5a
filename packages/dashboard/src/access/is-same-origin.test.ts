import { headersIn } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { isSameOrigin } from "./is-same-origin.js";

const sent = (headers: Readonly<Record<string, string>>) => isSameOrigin({ headers: headersIn(headers) });
const origin = "https://ops.example";

describe("a request that changes something", () => {
  it.each([
    ["the browser reports that the page itself sends it", { "sec-fetch-site": "same-origin" }],
    ["it comes from no browser", {}],
    ["its origin has the host", { origin, host: "ops.example" }],
    ["a proxy writes the default port", { origin, host: "ops.example:443" }],
    ["the host is in capital letters", { origin, host: "OPS.example" }],
    ["a proxy rewrites the host", { origin, host: "10.0.0.7:8080", "x-forwarded-host": "ops.example" }],
    ["it comes over HTTP/2", { origin, ":authority": "ops.example" }],
    ["a port is part of both", { origin: `${origin}:8443`, host: "ops.example:8443" }],
  ])("is accepted if %s", (_case, headers) => {
    expect(sent(headers)).toBe(true);
  });

  it.each([
    ["the browser names another site", { "sec-fetch-site": "same-site", origin, host: "ops.example" }],
    ["its origin has another host", { origin: "https://evil.example", host: "ops.example" }],
    ["its origin has another port", { origin: `${origin}:8443`, host: "ops.example" }],
    ["its origin is hidden", { origin: "null", host: "ops.example" }],
    ["it has an origin and no host", { origin }],
    ["its host is no host", { origin, host: "a b" }],
    ["the host only begins like the origin", { origin, host: "ops.example.evil.example" }],
  ])("is refused if %s", (_case, headers) => {
    expect(sent(headers)).toBe(false);
  });
});
