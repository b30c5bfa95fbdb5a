import { describe, expect, it } from "vitest";
import { ALIPAY_CERTIFICATE, APP_CERTIFICATE, APP_PRIVATE_KEY, ROOTS } from "../testing/certificates.js";
import { testPairs } from "../testing/keys.js";
import { checkAlipayAccount } from "./check-account.js";

const NOW = Date.UTC(2026, 10, 21);
const accountId = "2088000000000000";
const [app, wallet] = testPairs;
const byKey = { appPrivateKey: app.pkcs8, alipayPublicKey: wallet.spki };
const byCertificate = {
  appPrivateKey: APP_PRIVATE_KEY,
  appCertificate: APP_CERTIFICATE,
  alipayCertificate: ALIPAY_CERTIFICATE,
  alipayRootCertificate: ROOTS,
};

describe("checkAlipayAccount", () => {
  it("accepts a working account in both modes", async () => {
    expect(await checkAlipayAccount({ accountId, credentials: byKey }, NOW)).toEqual([]);
    expect(await checkAlipayAccount({ accountId, credentials: byCertificate }, NOW)).toEqual([]);
  });

  it("reports an invalid seller id together with the problems of the credentials", async () => {
    const credentials = { ...byKey, alipayPublicKey: app.spki };
    const problems = await checkAlipayAccount({ accountId: "shop@example.com", credentials }, NOW);
    expect(problems.map(({ code, field }) => [code, field])).toEqual([
      ["malformed", "accountId"],
      ["is-own", "alipayPublicKey"],
    ]);
    expect(problems[1]?.message.zh).toMatch(/^alipayPublicKey 是应用自己的公钥/);
    expect(problems.map(({ message }) => message.en)).toEqual([
      expect.stringMatching(/^accountId is not a seller's id/),
      expect.stringMatching(/^alipayPublicKey .*console/),
    ]);
  });

  it("reports expired certificates", async () => {
    const later = Date.UTC(2200, 0);
    const problems = await checkAlipayAccount({ accountId, credentials: byCertificate }, later);
    expect(problems.map(({ code }) => code)).toEqual(["expired", "expired"]);
    expect(problems.map(({ message }) => message.en)).toEqual([
      expect.stringMatching(/^appCertificate has expired/),
      expect.stringMatching(/^alipayCertificate has expired/),
    ]);
  });
});
