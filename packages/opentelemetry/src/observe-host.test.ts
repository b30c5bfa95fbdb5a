import { afterEach, beforeEach, expect, it } from "vitest";
import { observeHost } from "./observe-host.js";
import { installTelemetry, removeTelemetry, type Telemetry } from "./testing/telemetry.js";

let telemetry: Telemetry;
beforeEach(() => {
  telemetry = installTelemetry();
});
afterEach(removeTelemetry);

it("reports the version, and at each collection whether the host is ready", async () => {
  const states = [true, false, true];
  observeHost({ version: "1.2.3", health: async () => ({ ready: states.shift() === true }) });
  for (const ready of [1, 0, 1])
    expect(await telemetry.metrics()).toEqual([
      'tillkit.build.info{version="1.2.3"} 1',
      `tillkit.ready{} ${String(ready)}`,
    ]);
});
