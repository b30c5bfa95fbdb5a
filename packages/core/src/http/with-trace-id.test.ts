import { assert, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import type { Ports } from "../ports.js";
import { stub } from "../testing/stubs.js";
import { limitedSurfaces } from "./limited-surfaces.js";
import type { Surface } from "./request.js";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CREATED = "0".repeat(32);

const surfaces = limitedSurfaces(
  stub<Ports>({
    clock: { now: () => 0, sleep: async () => undefined },
    random: { bytes: (count) => new Uint8Array(count) },
    observer: { onEvent: () => undefined },
    policy: defaultPolicy,
    wallets: {
      WALLET_A: stub({ answer: () => ({ status: 401, contentType: "text/plain", body: "FAIL" }) }),
      WALLET_B: stub({}),
    },
  }),
);

async function reply(surface: Surface, method: string, path: string, trace: { readonly traceId?: string }) {
  const request = { method, path, query: "", headers: new Headers(), body: "too-large" } as const;
  return surface.handle({ ...request, ...trace });
}

it.each([
  ["payments", "GET", "/payTools.json", "/payTools.json"],
  ["payments", "GET", "/none", undefined],
  ["notifications", "POST", "/notify/WALLET_A/tool/Yg", "/notify/{payChannel}/{payToolId}/{orderRef}"],
  ["notifications", "GET", "/return/WALLET_B", "/return/{payChannel}"],
  ["notifications", "GET", "/none", undefined],
  ["metrics", "GET", "/misc/v2/downloads-api", "/misc/v2/downloads-api"],
  ["metrics", "GET", "/misc/none", undefined],
] as const)("uses the trace id of the request, or a new one: %s %s %s", async (name, method, path, route) => {
  const given = await reply(surfaces[name], method, path, { traceId: TRACE });
  expect(given.headers["x-trace-id"]).toBe(TRACE);
  expect(given.route).toBe(route);
  if (given.code !== undefined) {
    assert(typeof given.body === "string");
    expect(JSON.parse(given.body)).toMatchObject({ traceId: TRACE });
  }
  const created = await reply(surfaces[name], method, path, {});
  expect(created.headers["x-trace-id"]).toBe(CREATED);
});
