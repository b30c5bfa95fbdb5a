import { expect, it } from "vitest";
import { openWire } from "../testing/wechat-wire.js";
import { startHttpRequest } from "./send-http-request.js";
import { openGateways } from "./gateways.js";

it("sendHttpRequest sends nothing if the deadline has already passed", async () => {
  const targets: string[] = [];
  const wire = await openWire(({ target }) => {
    targets.push(target);
    return { status: 200, body: "" };
  }, Date.now);
  const hosts = openGateways({ gateways: { DEV: wire.url } })({ appEnv: "DEV" });
  const [gateway] = hosts?.inOrder() ?? [];
  if (gateway === undefined) throw new Error("DEV has a gateway");
  const request = { method: "GET", target: "/base/bill", headers: {}, body: "" } as const;
  const begun = await startHttpRequest(gateway, request, { signal: AbortSignal.abort() });
  expect(begun._unsafeUnwrapErr()).toMatchObject({ reason: "timeout" });
  expect(targets).toEqual([]);
  await wire.close();
});
