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

it("finds nothing if the wallets accept the credentials, and reports wallets that cannot be reached", async () => {
  const { sandbox, check } = await openTools({ WALLET_A: {}, WALLET_B: {} });
  expect(await check([], 0)).toEqual({ checked: 2, findings: [] });
  await sandbox.close();
  const unreachable = { kind: "gateway-unreachable" };
  expect(await check([], 1)).toMatchObject({ findings: [unreachable, unreachable] });
  expect(await check(["--offline"], 0)).toEqual({ checked: 2, findings: [] });
});

it.each([
  ["ahead of", -83_000],
  ["behind", 83_000],
])("finds a clock of this machine that is %s the wallets' clocks, and by how much", async (where, ms) => {
  const { sandbox, check } = await openTools({ WALLET_A: {}, WALLET_B: {} });
  sandbox.clock.advance(ms);
  const found = await check([], 1);
  for (const name of ["WeChat Pay", "Alipay"])
    expect(JSON.stringify(found)).toMatch(
      new RegExp(`"clock-skew".*is 8[234] s ${where} the clock of ${name}`),
    );
  expect(JSON.stringify(found)).toContain("with NTP");
  expect(await check(["--offline"], 0)).toEqual({ checked: 2, findings: [] });
  await sandbox.close();
});

it("reports that nothing was checked if there is no pay tool", async () => {
  const { ask, tillkit } = await openHost();
  expect(await ask(["pay-tools", "check"])).toEqual({ checked: 0, findings: [] });
  expect((await tillkit(["pay-tools", "check"])).stdout).toContain("nothing was checked");
});

it("finds valid keys that the wallets do not know", async () => {
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

it("accepts gateways as options, and refuses an address that is neither https nor local", async () => {
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

const setUp = z.object({ payTool: z.object({ id: z.string() }), problems: z.array(z.string()) });

it("sets, checks, lists and changes the pay tools of a service provider's shop", async () => {
  const { sandbox, check, ask, env, appId } = await openTools({ WALLET_A: {}, WALLET_B: {} });
  const { payTools: providers } = listed.parse(await ask(["pay-tools", "list", "--app", appId]));
  const [shop] = sandbox.subMerchants;
  const shopId = await newApp(ask);
  const ids = new Map<string, string>();
  for (const { id: provider, payChannel } of providers) {
    const tool = payChannel === "WALLET_A" ? shop?.WALLET_A : shop?.WALLET_B;
    const set = (credentials: object, code: number) =>
      ask(["pay-tools", "set", "--app", shopId, "-"], {
        env,
        input: JSON.stringify({ ...tool, credentials: { ...tool?.credentials, ...credentials } }),
        code,
      });
    const unknown = setUp.parse(await set({ provider: "none" }, 1));
    expect(unknown.problems.join()).toContain("provider");
    const { payTool, problems } = setUp.parse(await set({ provider }, 0));
    expect(problems).toEqual([]);
    ids.set(payChannel, payTool.id);
  }
  // The wallets know the shops, and the provider's keys sign for them.
  expect(await check([], 0)).toEqual({ checked: 4, findings: [] });
  expect(await check(["--offline"], 0)).toEqual({ checked: 4, findings: [] });
  expect(await ask(["pay-tools", "list", "--app", shopId])).toMatchObject({
    payTools: [
      { id: ids.get("WALLET_A"), accountId: shop?.WALLET_A.accountId, signStatus: "OK" },
      { id: ids.get("WALLET_B"), accountId: shop?.WALLET_B.accountId, signStatus: "OK" },
    ],
  });

  const change = (input: object, code: number) =>
    ask(["pay-tools", "change", ids.get("WALLET_B") ?? "", "-"], { env, input: JSON.stringify(input), code });
  expect(JSON.stringify(await change({ credentials: { provider: ids.get("WALLET_A") } }, 1))).toMatch(
    /pay-tool\.not-working.*provider.*Nothing was changed/,
  );
  // The authorisation ends like a certificate.
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  await change({ credentials: { appAuthTokenExpiry: soon } }, 0);
  expect(await check(["--offline"], 1)).toMatchObject({
    findings: [{ kind: "credential-expiring", subject: ids.get("WALLET_B") }],
  });
  expect(JSON.stringify(await check([], 1))).toContain("appAuthToken");
  await sandbox.close();
});

it("sets the options of new orders, and names a wrong option and its wallet", async () => {
  const { sandbox, ask, env, appId } = await openTools({ WALLET_A: {}, WALLET_B: {} });
  const tool = sandbox.payTools.WALLET_A;
  const set = (walletOptions: object, code: number) =>
    ask(["pay-tools", "set", "--app", appId, "-"], {
      env,
      input: JSON.stringify({ ...tool, walletOptions }),
      code,
    });
  const walletOptions = { limit_pay: ["no_credit"], support_fapiao: true };
  expect(await set(walletOptions, 0)).toMatchObject({ payTool: { walletOptions } });
  for (const [wrong, words] of [
    [{ passback_params: "p" }, /walletOptions\.passback_params is an option of WALLET_B \(Alipay\) only/],
    [{ limit_pays: [] }, /walletOptions\.limit_pays is an option of neither/],
    [{ attach: "会".repeat(43) }, /walletOptions\.attach has more bytes than WALLET_A \(WeChat Pay\) takes/],
    [{ limit_pay: ["credit"] }, /walletOptions\.limit_pay\[0\] is not a value that WALLET_A/],
    [{ attach: 7 }, /walletOptions\.attach/],
  ] as const)
    expect(JSON.stringify(await set(wrong, 2))).toMatch(words);
  const { payTools } = listed.parse(await ask(["pay-tools", "list", "--app", appId]));
  const id = payTools.find(({ payChannel }) => payChannel === "WALLET_A")?.id ?? "";
  const change = (input: object, code: number) =>
    ask(["pay-tools", "change", id, "-"], { env, input: JSON.stringify(input), code });
  expect(await change({ walletOptions: { goods_tag: "t" } }, 0)).toMatchObject({
    payTool: { walletOptions: { goods_tag: "t" } },
  });
  expect(JSON.stringify(await change({ walletOptions: { goods_type: "1" } }, 2))).toContain("goods_type");
  expect(JSON.stringify(await change({ walletOptions: {} }, 0))).not.toContain("walletOptions");
  await sandbox.close();
});
