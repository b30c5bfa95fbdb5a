import { openSandbox } from "@tillkit/sandbox";
import { testWalletKeys } from "@tillkit/test-keys";
import { expect, it } from "vitest";
import { z } from "zod";
import { emptiedHost } from "../testing/cli.js";
import { newApp } from "../testing/fixture.js";

const openHost = emptiedHost();

/**
 * Opens an app with both pay tools of a sandbox, and a function that checks them there.
 *
 * `changed` replaces credentials.
 */
async function openTools(changed: Readonly<Record<"WALLET_A" | "WALLET_B", Record<string, string>>>) {
  const sandbox = await openSandbox({ keys: testWalletKeys });
  const { ask, file, env: own } = await openHost();
  const { walletA, walletB } = sandbox.addresses;
  const env = { ...own, TILLKIT_WALLET_A_GATEWAY: walletA, TILLKIT_WALLET_B_GATEWAY: walletB };
  const appId = await newApp(ask);
  for (const tool of Object.values(sandbox.payTools)) {
    const credentials = { ...tool.credentials, ...changed[tool.payChannel] };
    const path = await file(`${tool.payChannel}.json`, JSON.stringify({ ...tool, credentials }));
    await ask(["pay-tools", "set", "--app", appId, path], { env });
  }
  const check = (options: readonly string[], code: number) =>
    ask(["pay-tools", "check", ...options], { env, code });
  return { sandbox, check, ask, env, appId };
}

it("finds nothing while the wallets take the credentials, and says so when they cannot be reached", async () => {
  const { sandbox, check } = await openTools({ WALLET_A: {}, WALLET_B: {} });
  expect(await check([], 0)).toEqual({ checked: 2, findings: [] });
  await sandbox.close();
  const unreachable = { kind: "gateway-unreachable" };
  expect(await check([], 1)).toMatchObject({ findings: [unreachable, unreachable] });
  expect(await check(["--offline"], 0)).toEqual({ checked: 2, findings: [] });
});

it("says that nothing was checked if there is no pay tool", async () => {
  const { ask, tillkit } = await openHost();
  expect(await ask(["pay-tools", "check"])).toEqual({ checked: 0, findings: [] });
  expect((await tillkit(["pay-tools", "check"])).stdout).toContain("nothing was checked");
});

it("finds keys that are sound but not those the wallets know", async () => {
  const { privateKey } = testWalletKeys.retired;
  const { sandbox, check } = await openTools({
    WALLET_A: { merchantPrivateKey: privateKey },
    WALLET_B: { appPrivateKey: privateKey },
  });
  expect(await check(["--offline"], 0)).toEqual({ checked: 2, findings: [] });
  const refused = { kind: "gateway-refused" };
  const checked = await check([], 1);
  expect(checked).toMatchObject({ findings: [refused, refused] });
  expect(JSON.stringify(checked)).toMatch(/WALLET_A.*SIGN_ERROR.*WALLET_B.*isv\.invalid-signature/);
  await sandbox.close();
});

it("takes the gateways from options as well, and refuses an address that is not protected", async () => {
  const { sandbox, check } = await openTools({ WALLET_A: {}, WALLET_B: {} });
  const { walletA } = sandbox.addresses;
  const unreachable = { kind: "gateway-unreachable" };
  const closed = ["--wallet-b-gateway", "http://127.0.0.1:1/gateway.do"];
  expect(await check(["--wallet-a-gateway", walletA, ...closed], 1)).toMatchObject({
    findings: [unreachable],
  });
  expect(await check(["--wallet-a-gateway", "http://pay.example.com"], 2)).toMatchObject({
    error: { name: "usage.invalid" },
  });
  await sandbox.close();
});

const listed = z.object({ payTools: z.array(z.object({ id: z.string(), payChannel: z.string() })) });

it("changes one key, keeps the others, and refuses keys that do not work", async () => {
  const { sandbox, check, ask, env, appId } = await openTools({ WALLET_A: {}, WALLET_B: {} });
  const { payTools } = listed.parse(await ask(["pay-tools", "list", "--app", appId]));
  const [tool] = payTools.filter(({ payChannel }) => payChannel === "WALLET_B");
  const change = (input: object, code: number, id = tool?.id ?? "") =>
    ask(["pay-tools", "change", id, "-"], { env, input: JSON.stringify(input), code });
  const { appPrivateKey } = sandbox.payTools.WALLET_B.credentials;
  const changed = await change({ appName: "Renamed", credentials: { appPrivateKey } }, 0);
  expect(changed).toMatchObject({ payTool: { id: tool?.id, appName: "Renamed", signStatus: "OK" } });
  const refused = await change({ credentials: { alipayPublicKey: null } }, 1);
  expect(JSON.stringify(refused)).toMatch(/pay-tool\.not-working.*Nothing was changed/);
  expect(JSON.stringify(await change({}, 1, "none"))).toContain("pay-tool.unknown");
  expect(await check([], 0)).toEqual({ checked: 2, findings: [] });
  await sandbox.close();
});
