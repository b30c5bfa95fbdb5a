import { checkCredentialExpiry, configurePayTool, createApp, orThrow, type PayChannel } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { expect, it } from "vitest";
import { openLogger } from "../log/logger.js";
import { hostObserver } from "../log/observer.js";
import { openTelemetry } from "../telemetry/telemetry.js";

const DAY = 86_400_000;

/** Opens a host whose pay tools expire in `days`, and runs one credential check. */
async function lookedAt(days: readonly (readonly [PayChannel, number])[]) {
  const lines: string[] = [];
  const telemetry = openTelemetry({});
  const logger = openLogger("info", { write: (line: string) => void lines.push(line) });
  const observer = hostObserver(logger, telemetry.meter);
  const ports = { ...memoryPorts(), observer };
  const now = ports.clock.now();
  for (const [payChannel, left] of days) {
    const { app } = await orThrow(createApp(ports, { name: "Notes" }));
    const configured = await configurePayTool(ports, app.appId, {
      payChannel,
      appEnv: "DEV",
      accountId: "m-1",
      walletAppId: "wx-1",
      appName: "",
      appPackageName: "",
      appSignature: "",
      credentials: { privateKey: "s3cret", expiresAt: String(now + left * DAY) },
    });
    orThrow(configured);
  }
  await orThrow(checkCredentialExpiry(ports));
  const shown = (await telemetry.metricsText()).split("\n");
  return { lines, now, shown: shown.filter((line) => /^tillkit_credential/.test(line)) };
}

it("counts expiring credentials in the metrics", async () => {
  const { shown } = await lookedAt([
    ["WALLET_A", 300],
    ["WALLET_A", 20],
    ["WALLET_B", 400],
  ]);
  expect(shown).toEqual(['tillkit_credentials_expiring_total{channel="WALLET_A",credential="expiresAt"} 1']);
});

it("writes one line for each credential that ends within 30 days, with the pay tool and no secret", async () => {
  const { lines, now } = await lookedAt([
    ["WALLET_A", 20],
    ["WALLET_B", 400],
  ]);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "error",
    channel: "WALLET_A",
    credential: "expiresAt",
    endsAt: new Date(now + 20 * DAY).toISOString(),
    msg: "wallet credential ends: replace it",
  });
  expect(lines[0]).toContain('"payToolId":"');
  expect(lines[0]).not.toContain("s3cret");
});
