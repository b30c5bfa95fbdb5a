import { paymentsRoutes, type Surface } from "@tillkit/core/http";
import { expect, it, vi } from "vitest";
import { metrics } from "./metrics.js";
import { notifications } from "./notifications.js";
import { payments } from "./payments.js";
import { TARGETS } from "./targets.js";

// A round takes one or two seconds alone, and many times as long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

it.each(TARGETS)("$name keeps every invariant", async (target) => {
  const attack = await target.open();
  try {
    const { requests, finding } = await attack.round({ seed: 1 });
    expect(finding).toBeUndefined();
    expect(requests).toBeGreaterThan(0);
  } finally {
    await attack.close();
  }
});

it("a target sends the same requests for the same seed", async () => {
  const sent = async () => {
    const requests: unknown[] = [];
    const attack = await payments(noting((request) => requests.push(request))).open();
    await attack.round({ seed: 5 });
    return JSON.stringify(requests);
  };
  expect(await sent()).toBe(await sent());
});

it("the fuzzer reaches every endpoint, and its failures", { tags: "slow" }, async () => {
  const codes = new Set<string>();
  const attack = await payments(
    noting(({ method, path }, body) => {
      const route = paymentsRoutes.find((one) => one.method === method && one.match(path) !== undefined);
      codes.add(`${route?.path ?? "elsewhere"} ${/^\{"code":(\d+)/.exec(body)?.[1] ?? "?"}`);
    }),
  ).open();
  for (let seed = 1; seed <= 10; seed += 1) await attack.round({ seed });
  for (const { path } of paymentsRoutes) {
    expect(codes).toContain(`${path} 0`);
    expect(codes).toContain(`${path} 1001`);
  }
  for (const code of [10001, 10002, 10003, 10004, 50002, 50003, 50004, 50005])
    expect(codes).toContain(`/order.json ${code}`);
});

it("the fuzzer reaches reports and verified notifications", { tags: "slow" }, async () => {
  const bodies: string[] = [];
  const note = noting((_request, body) => bodies.push(body));
  for (const target of [metrics(note), notifications(note)]) {
    const attack = await target.open();
    for (let seed = 1; seed <= 4; seed += 1) await attack.round({ seed });
  }
  expect(bodies.some((body) => body.includes('"result":"success"'))).toBe(true);
  expect(bodies.some((body) => body.includes("DAILY_LIMIT_REACHED"))).toBe(true);
  // WALLET_B's acknowledgement is the text `success`; that of WALLET_A has an empty body.
  expect(bodies).toContain("success");
  expect(bodies).toContain("fail");
  expect(bodies).toContain("");
});

function noting(note: (request: Parameters<Surface<string>["handle"]>[0], body: string) => void) {
  return (surface: Surface<string>): Surface<string> => ({
    ...surface,
    handle: async (request) => {
      const reply = await surface.handle(request);
      note(request, reply.body);
      return reply;
    },
  });
}
