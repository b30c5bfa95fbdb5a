import { describe, expect, it } from "vitest";
import { storedUrls, urlsFrom } from "./order-urls.js";

const order = { payChannel: "WALLET_A", payToolId: "01TOOL", bizNo: "b-1" } as const;
const urls = {
  notifyUrl: "https://pay.example/wallets/notify/WALLET_A/01TOOL/Yi0x",
  returnUrl: "https://pay.example/wallets/return/WALLET_A",
};

describe("storedUrls", () => {
  it("returns the common part of URLs that follow from it", () => {
    expect(storedUrls({ ...order, ...urls })).toEqual({ base: "https://pay.example/wallets" });
    expect(urlsFrom("https://pay.example/wallets", order)).toEqual(urls);
  });

  it("returns the URLs of an order without a pay tool, which gets one later", () => {
    const given = { ...urls, notifyUrl: urls.notifyUrl.replace("01TOOL", "") };
    expect(storedUrls({ ...order, payToolId: "", ...given })).toEqual(given);
  });

  it.each([
    ["of another order", { notifyUrl: `${urls.notifyUrl}Q` }],
    ["of another pay tool", { notifyUrl: urls.notifyUrl.replace("01TOOL", "02TOOL") }],
    ["of another wallet", { notifyUrl: urls.notifyUrl.replace("WALLET_A", "WALLET_B") }],
    ["with different beginnings", { returnUrl: "https://other.example/return/WALLET_A" }],
    ["of another form", { returnUrl: "https://pay.example/wallets/return" }],
    ["that are empty, as of an imported order", { notifyUrl: "", returnUrl: "" }],
    ["without a beginning", { notifyUrl: "/notify/WALLET_A/01TOOL/Yi0x", returnUrl: "/return/WALLET_A" }],
  ])("returns URLs %s as they are", (_what, changes) => {
    const given = { ...urls, ...changes };
    expect(storedUrls({ ...order, ...given })).toEqual(given);
  });
});
