import { headersIn } from "@tillkit/core/http";
import { expect, it, vi } from "vitest";
import { watchPeers } from "./watch-peers.js";

function warningsFor(peer: string | undefined, headers: Readonly<Record<string, string>>) {
  const warn = vi.fn();
  const watch = watchPeers(warn);
  const request = { method: "GET", path: "/", query: "", body: new Uint8Array(), peer };
  for (let nth = 0; nth < 3; nth += 1) watch({ ...request, headers: headersIn(headers) });
  return warn.mock.calls.map(([code, text]) => `${String(code)}: ${String(text).slice(0, 44)}`);
}

it("warns once if the binding passes no address", () => {
  expect(warningsFor(undefined, {})).toEqual([
    "TILLKIT_DASHBOARD_PEERS: The operators' page receives no client addre",
  ]);
});

it.each([
  ["127.0.0.1", { "x-forwarded-for": "203.0.113.7" }],
  ["::ffff:10.0.0.3", { "x-real-ip": "203.0.113.7" }],
  ["::1", { forwarded: 'for="[2001:db8::1]:443";proto=https' }],
  ["fd00::1", { "x-forwarded-for": "203.0.113.7, 198.51.100.2" }],
])("warns once if %s is a proxy's address", (peer, headers) => {
  expect(warningsFor(peer, headers)).toEqual([
    "TILLKIT_DASHBOARD_PEERS: The operators' page seems to be behind a pro",
  ]);
});

it.each([
  ["203.0.113.7", { "x-forwarded-for": "203.0.113.7" }],
  ["10.1.2.3", { "x-forwarded-for": "10.1.2.3, 10.0.0.1" }],
  ["127.0.0.1", {}],
  // Anybody can send the header to a host without a proxy.
  ["203.0.113.7", { "x-forwarded-for": "198.51.100.2" }],
])("does not warn for %s with %j", (peer, headers) => {
  expect(warningsFor(peer, headers)).toEqual([]);
});
