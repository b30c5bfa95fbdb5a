import { generateKeyPairSync } from "node:crypto";
import { alipayWallet } from "@tillkit/alipay";
import { openSandbox, type Sandbox } from "@tillkit/sandbox";
import { systemRandom } from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import { ok } from "neverthrow";
import { expect, it } from "vitest";
import { openHost } from "../testing/cli.js";
import { newApp } from "../testing/fixture.js";
import type { OpenWallets } from "../wallets.js";

const walletsAt =
  ({ addresses }: Sandbox): OpenWallets =>
  ({ clock }) =>
    ok({
      WALLET_A: wechatPayWallet({ clock, random: systemRandom, gateways: { DEV: addresses.walletA } }),
      WALLET_B: alipayWallet({ clock, gateways: { DEV: addresses.walletB } }),
    });

/**
 * Opens an app with both pay tools of a sandbox, and a function that checks them there.
 *
 * `changed` replaces credentials.
 */
async function openTools(changed: Readonly<Record<"WALLET_A" | "WALLET_B", Record<string, string>>>) {
  const sandbox = await openSandbox();
  const { ask, file } = await openHost();
  const openWallets = walletsAt(sandbox);
  const appId = await newApp(ask);
  for (const tool of Object.values(sandbox.payTools)) {
    const credentials = { ...tool.credentials, ...changed[tool.payChannel] };
    const path = await file(`${tool.payChannel}.json`, JSON.stringify({ ...tool, credentials }));
    await ask(["pay-tools", "set", "--app", appId, path], { openWallets });
  }
  const check = (options: readonly string[], code: number) =>
    ask(["pay-tools", "check", ...options], { openWallets, code });
  return { sandbox, check };
}

function aPrivateKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

it("finds nothing while the wallets take the credentials, and says so when they cannot be reached", async () => {
  const { sandbox, check } = await openTools({ WALLET_A: {}, WALLET_B: {} });
  expect(await check([], 0)).toEqual({ findings: [] });
  await sandbox.close();
  const unreachable = { kind: "gateway-unreachable" };
  expect(await check([], 1)).toMatchObject({ findings: [unreachable, unreachable] });
  expect(await check(["--offline"], 0)).toEqual({ findings: [] });
});

it("finds keys that are sound but not those the wallets know", async () => {
  const { sandbox, check } = await openTools({
    WALLET_A: { merchantPrivateKey: aPrivateKey() },
    WALLET_B: { appPrivateKey: aPrivateKey() },
  });
  expect(await check(["--offline"], 0)).toEqual({ findings: [] });
  const refused = { kind: "gateway-refused" };
  const checked = await check([], 1);
  expect(checked).toMatchObject({ findings: [refused, refused] });
  expect(JSON.stringify(checked)).toMatch(/WALLET_A.*SIGN_ERROR.*WALLET_B.*isv\.invalid-signature/);
  await sandbox.close();
});
