import { expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import type { Ports } from "../ports.js";
import { stub } from "../testing/stubs.js";
import { limitedSurfaces } from "./limited-surfaces.js";
import type { HttpRequest, Surface } from "./request.js";

const ports = stub<Ports>({
  clock: { now: () => 0, sleep: async () => undefined },
  random: { bytes: (count) => new Uint8Array(count) },
  digest: { sha256: (text) => text, keyed: (text) => [text] },
  apps: stub({ getCached: () => undefined }),
  observer: { onEvent: () => undefined },
  policy: defaultPolicy,
  wallets: {
    WALLET_A: stub({ answer: () => ({ status: 401, contentType: "text/plain", body: "FAIL" }) }),
    WALLET_B: stub({}),
  },
});

/** Returns the reply to a request whose client has disconnected: every limiter rejects it. */
async function refusal(surface: Surface, method: string, path: string): Promise<string> {
  const client = { aborted: true, addEventListener: () => undefined, removeEventListener: () => undefined };
  const request: HttpRequest = {
    method,
    path,
    query: "",
    headers: new Headers({ app_id: "app_1", app_secret: "secret" }),
    body: new Uint8Array(),
    client,
  };
  const { status, body } = await surface.handle(request);
  return `${status} ${typeof body === "string" ? body : "no text"}`;
}

it("limits each surface", async () => {
  const { payments, notifications, metrics } = limitedSurfaces(ports);
  expect(await refusal(payments, "GET", "/payTools.json")).toContain(`"code":99998`);
  expect(await refusal(notifications, "POST", "/notify/WALLET_A/tool/order")).toBe("503 FAIL");
  expect(await refusal(metrics, "GET", "/misc/v2/downloads-api")).toContain(`"LIMIT_CHECK_FAILED"`);
});

it("uses the limits of its options", () => {
  expect(() => limitedSurfaces(ports, { maxConcurrent: 0 })).toThrow(RangeError);
});
