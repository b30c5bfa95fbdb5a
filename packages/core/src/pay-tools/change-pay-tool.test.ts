import { okAsync } from "neverthrow";
import { expect, it } from "vitest";
import { account, stub } from "../testing/stubs.js";
import type { Wallet } from "../wallets/wallet.js";
import { changePayTool } from "./change-pay-tool.js";
import type { PayToolStore } from "./pay-tool-store.js";
import type { WalletAccount } from "./pay-tool.js";
import { orThrow } from "../errors/or-throw.js";

const NOW = 5_000;

/** A store with one pay tool that `meanwhile` replaces before the first change. */
function portsWith(stored: WalletAccount, meanwhile?: WalletAccount) {
  const state = { tool: stored, pending: meanwhile };
  const payTools = stub<PayToolStore>({
    find: (id) => okAsync(id === state.tool.id ? state.tool : undefined),
    replace: (before, after) => {
      state.tool = state.pending ?? state.tool;
      state.pending = undefined;
      if (before !== state.tool) return okAsync(false);
      state.tool = after;
      return okAsync(true);
    },
  });
  const checked: WalletAccount[] = [];
  const wallet = stub<Wallet>({
    checkAccount: async (tool) => {
      checked.push(tool);
      return [];
    },
  });
  const clock = { now: () => NOW, sleep: async () => undefined };
  return { state, checked, ports: { payTools, clock, wallets: { WALLET_A: wallet, WALLET_B: wallet } } };
}

it("merges the change with what another operator has stored meanwhile, and checks the result", async () => {
  const stored = { ...account, credentials: { a: "1", b: "1" } };
  const { state, checked, ports } = portsWith(stored, { ...stored, credentials: { a: "1", b: "2" } });
  const changed = await changePayTool(ports, account.id, { credentials: { a: "3" } });
  expect(orThrow(changed)).not.toHaveProperty("credentials");
  expect(state.tool).toMatchObject({ credentials: { a: "3", b: "2" }, gmtModified: NOW });
  expect(checked.map(({ credentials }) => credentials)).toEqual([
    { a: "3", b: "1" },
    { a: "3", b: "2" },
  ]);
});

it("does not check credentials that stay, and keeps their signStatus", async () => {
  const { state, checked, ports } = portsWith({ ...account, signStatus: "NO" });
  await changePayTool(ports, account.id, { appName: "Other" });
  expect(state.tool).toMatchObject({ appName: "Other", signStatus: "NO" });
  expect(checked).toEqual([]);
});

it("refuses a pay tool that does not exist, and a label with a line feed", async () => {
  const { state, ports } = portsWith(account);
  const unknown = await changePayTool(ports, "none", {});
  expect(unknown._unsafeUnwrapErr()).toEqual({ name: "pay-tool.unknown" });
  const line = await changePayTool(ports, account.id, { appName: "two\nlines" });
  expect(line._unsafeUnwrapErr()).toMatchObject({ name: "parameter.invalid", parameter: "appName" });
  expect(state.tool).toBe(account);
});

it("replaces the default options as a whole, and keeps them if the change does not name them", async () => {
  const { state, checked, ports } = portsWith({ ...account, walletOptions: { attach: "a", goods_tag: "t" } });
  await changePayTool(ports, account.id, { appName: "Other" });
  expect(state.tool.walletOptions).toEqual({ attach: "a", goods_tag: "t" });
  await changePayTool(ports, account.id, { walletOptions: { limit_pay: ["no_credit"] } });
  expect(state.tool.walletOptions).toEqual({ limit_pay: ["no_credit"] });
  await changePayTool(ports, account.id, { walletOptions: {} });
  expect(state.tool).not.toHaveProperty("walletOptions");
  expect(checked).toEqual([]);
});

it("refuses default options of the other wallet, and those of a single order", async () => {
  const { state, ports } = portsWith(account);
  for (const [walletOptions, option, rule] of [
    [{ passback_params: "p" }, "passback_params", "wallet-b-only"],
    [{ detail: { cost_price: 1 } }, "detail", "wallet-option-of-order"],
    [{ redirect_url: "shop.example" }, "redirect_url", "wallet-address"],
  ] as const) {
    const refused = await changePayTool(ports, account.id, { walletOptions });
    const parameter = `walletOptions.${option}`;
    expect(refused._unsafeUnwrapErr()).toEqual({ name: "parameter.invalid", parameter, rule });
  }
  expect(state.tool).toBe(account);
});
