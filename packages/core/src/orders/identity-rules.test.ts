import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { IdentityChecks } from "../apps/app.js";
import { defaultPolicy } from "../policy.js";
import { EVERY_CHECK } from "../testing/stubs.js";
import { forbiddenIdentity, type SentIdentity } from "./identity-rules.js";

function ruleOf(
  customerIdentity: string,
  sent: Partial<SentIdentity> = {},
  checks: Partial<IdentityChecks> = {},
) {
  const app = { identityChecks: { ...EVERY_CHECK, ...checks } };
  return forbiddenIdentity(app, { bizNo: "order-1001", ...sent, customerIdentity }, defaultPolicy);
}

const OPENID = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";

describe("forbiddenIdentity", () => {
  it.each([
    "han.li@example.com",
    " a@example.com ",
    "han.li\u200b@example.com",
    "han.li@\u200bexample.com",
    "han.li@example\u00ad.com",
    "Kim <kim@example.com>",
    "<kim@example.com>",
    "kim@example.com (Kim)",
    "order of a@example.com",
    "mailto:kim@example.com",
    "mailto:kim@example.com?subject=Hello",
    "MAILTO:kim%40example.com",
    "kim＠example．com",
    "kim﹫example。com",
    "kim @ example.com",
    "kim (at) example.com",
    "kim[at]example[dot]com",
    '"kim lee"@example.com',
    "kim@例子.测试",
    "kim@xn--fsqu00a.xn--0zwm56d",
    "金@example.com",
    "kim@[192.0.2.1]",
    "kim@[IPv6:2001:db8::1]",
  ])("%j is an e-mail address", (identity) => {
    expect(ruleOf(identity)).toBe("email");
  });

  it.each([
    "13800138000",
    "138 0013 8000",
    "+44 20 7946 0018",
    "8613800138000",
    "(138) 0013.8000",
    "１３８００１３８０００",
    "138\u200b0013\u200b8000",
    "\ufeff13800138000",
    "1\u00ad3800138000",
    "1\u20603800138000\u202c",
    "1\u03323\u03328\u033200138000",
    "1\u31643800138000",
    "1\ufe0f3800138000",
    "+44\u200d20 7946 0018",
    ...["-‐‑‒–—―−﹘－_＿·・･‧•∙⋅./\\|~～,，、:;*#=’'`–᠆༌۔।܀"].flatMap((marks) =>
      Array.from(marks, (mark) => `138${mark}0013${mark}8000`),
    ),
    ...["\u00a0\u1680\u2000\u2009\u202f\u205f\u3000"].flatMap((spaces) =>
      Array.from(spaces, (space) => `138${space}0013${space}8000`),
    ),
    "138 - 0013 - 8000",
    "1-3-8-0-0-1-3-8-0-0-0",
    "١٣٨٠٠١٣٨٠٠٠",
    "۱۳۸۰۰۱۳۸۰۰۰",
    "१३८००१३८०००",
    "๑๓๘๐๐๑๓๘๐๐๐",
    "𝟏𝟑𝟖𝟎𝟎𝟏𝟑𝟖𝟎𝟎𝟎",
    "①③⑧⓪⓪①③⑧⓪⓪⓪",
    "❶➂➇⓿⓿➀➂➇⓿⓿⓿",
    "1️⃣3️⃣8️⃣0️⃣0️⃣1️⃣3️⃣8️⃣0️⃣0️⃣0️⃣",
    "一三八〇〇一三八〇〇〇",
    "幺三八 零零幺三 八零零零",
    "壹叁捌零零壹叁捌零零零",
    "tel:13800138000",
    "tel:+86-138-0013-8000;ext=5",
    "tel:+44-20-7946-0018;phone-context=+44",
    "sms:13800138000?body=hello",
    "sms://13800138000",
    "smsto:13800138000",
    "callto:+442079460018",
    "weixin:13800138000",
    "whatsapp:+14155550132",
    "手机：13800138000",
    "手机号13800138000",
    "Kim <13800138000>",
    "Kim 13800138000",
    "user-13800138000",
    "u13800138000",
    "13800138000-1",
    "13800138000 ext. 5",
    "13800138000x5",
    "13800138000#123",
    "13800138000转123",
    "+44 20 7946 0018 extension 12",
    "0086 138 0013 8000",
    "008613800138000",
    "013800138000",
    "+86 (0) 138-0013-8000",
    "+44 (0)20 7946 0018",
    "(+44) 20 7946 0018",
    "0044 20 7946 0018",
    "00442079460018",
    "tel:00442079460018",
    "＋44 20 7946 0018",
    "➕44 20 7946 0018",
    "%2B442079460018",
  ])("%j is a phone number", (identity) => {
    expect(ruleOf(identity)).toBe("phone");
  });

  it.each([
    "4111.1111.1111.1111",
    "4111111111111111",
    "6222 0212 3456 7894",
    "378282246310005",
    "4111111111111996",
    "4111\u200c1111\u200c1111\u200c1111",
    "4111–1111–1111–1111",
    "４１１１_１１１１_１１１１_１１１１",
    "card:4111 1111 1111 1111",
    "银行卡号：4111111111111111",
  ])("%j is a card number", (identity) => {
    expect(ruleOf(identity)).toBe("card");
  });

  it.each([
    "11010519491231002X",
    "11010519491231002x",
    "11010519491231002Ｘ",
    "110105 19491231 002X",
    "110105–19491231–002X",
    "身份证号：11010519491231002X",
    "身份证11010519491231002X",
    "Kim (11010519491231002X)",
    "440524188001010014",
  ])("%j is the number of an identity card", (identity) => {
    expect(ruleOf(identity)).toBe("identityCard");
  });

  it.each([
    ["a wrong check character", "110105194912310021"],
    ["a day that does not exist", "110105194902310026"],
    ["no region", "010105194912310020"],
    ["15 digits, as until 2013", "110105491231002"],
  ])("an identity with %s is not the number of an identity card", (_, identity) => {
    expect(ruleOf(identity)).toBeUndefined();
  });

  it.each([
    "2088102146225135",
    "2088 1021 4622 5135",
    "２０８８１０２１４６２２５１３５",
    "alipay:2088102146225135",
    "支付宝2088102146225135",
    OPENID,
    `wechat:${OPENID}`,
    `微信 ${OPENID}`,
    `<${OPENID}>`,
    `openid_${OPENID}`,
    "oABC-WX_defghijklmnopqrstuv1",
    `app-7/wx-openid-${OPENID}`,
    `wechat/${OPENID}`,
    `union_id_${OPENID}`,
    "oUpF8uMuAJO\u2013M2pxb1Q9zNjWeS6o",
    "ocMvos6NjeKLIBqg5Mr9QjxrP1FA",
    "wxid_abcdefgh123456",
    "user_wxid_abcdefgh123456",
  ])("%j is an account at a wallet", (identity) => {
    expect(ruleOf(identity)).toBe("walletAccount");
  });

  it("an identity is an account at a wallet if it equals the payer's id", () => {
    expect(ruleOf("payer-1", { payerId: "payer-1" })).toBe("walletAccount");
    expect(ruleOf("payer-2", { payerId: "payer-1" })).toBeUndefined();
  });

  it.each([
    "order-1001",
    " order-1001",
    "ORDER-1001",
    "order\u200b-1001",
    "ｏｒｄｅｒ－1001",
    "order\u20111001",
    "order–1001",
  ])("%j is the bizNo order-1001", (identity) => {
    expect(ruleOf(identity)).toBe("bizNo");
  });

  it.each([
    "u-1",
    "order-100",
    "order-10012",
    "user@home",
    "@kim",
    "12345678901",
    "4111111111111112",
    "9111111111111119",
    "9000000000000001",
    "400000000000006",
    "213800138000",
    "138001380001",
    "138001380",
    "010 6552 9988",
    "+1",
    "001234567890",
    "0049123456",
    "20881021462251351",
    "208810214622513",
    "order_customer_identity_0001",
    "oUpF8uMuAJO_M2pxb1Q9zNjWeS6",
    `user_${OPENID}`,
    `swx_${OPENID}`,
    "01JCXW9Z3K7Q2N5T8V0B4D6F1H",
    "user-12345678",
    "2026-11-27/17",
    "张三",
  ])("%j is an internal id", (identity) => {
    expect(ruleOf(identity)).toBeUndefined();
  });

  it.each([
    ["email", "a@example.com"],
    ["phone", "13800138000"],
    ["card", "4111111111111111"],
    ["identityCard", "11010519491231002X"],
    ["walletAccount", OPENID],
    ["bizNo", "order-1001"],
  ] as const)("skips the check %s if it is disabled for the app", (check, identity) => {
    expect(ruleOf(identity)).toBe(check);
    expect(ruleOf(identity, {}, { [check]: false })).toBeUndefined();
  });

  const characters = (alphabet: string, length: number) =>
    fc
      .array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length })
      .map((all) => all.join(""));
  const digits = (length: number) => characters("0123456789", length);
  const hexadecimal = (length: number) => characters("0123456789abcdef", length);
  const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  /** An id of Twitter's kind: milliseconds since an epoch, and 22 bits. */
  const snowflake = fc
    .tuple(fc.bigInt(400_000_000_000n, 700_000_000_000n), fc.bigInt(0n, (1n << 22n) - 1n))
    .map(([time, sequence]) => String((time << 22n) | sequence));

  it.each([
    ["UUIDs", fc.uuid()],
    ["ULIDs", characters("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24).map((rest) => `01${rest}`)],
    ["snowflake ids of Twitter", snowflake.filter((id) => /^[12]/.test(id))],
    ["ids of MongoDB", hexadecimal(24)],
    ["hashes in hexadecimal", hexadecimal(64)],
    ["hashes in base64", fc.uint8Array({ minLength: 32, maxLength: 32 }).map(base64)],
    ["nanoids", characters(`${ALPHANUMERIC}_-`, 21)],
    ["cuids", characters("abcdefghijklmnopqrstuvwxyz0123456789", 24).map((rest) => `c${rest}`)],
    ["numbers with a prefix", digits(8).map((number) => `user-${number}`)],
    ["times in milliseconds", fc.integer({ min: 1.2e12, max: 2.2e12 }).map(String)],
    ["serial numbers", fc.integer({ min: 1, max: 2 ** 32 }).map(String)],
    [
      "serial numbers filled with zeros",
      fc.integer({ min: 1, max: 2 ** 32 }).map((n) => String(n).padStart(12, "0")),
    ],
  ])("refuses none of 2 000 %s", (_, ids) => {
    const isInternal = fc.property(ids, (id) => ruleOf(id) === undefined);
    fc.assert(isInternal, { numRuns: 2_000, seed: 7 });
  });

  it.each([
    ["random numbers of 16 digits that begin with 7", digits(16).map((rest) => `7${rest.slice(1)}`), 0],
    ["random numbers of 17 to 19 digits", fc.oneof(digits(17), digits(18), digits(19)), 0.03],
    ["snowflake ids of any epoch", snowflake, 0.01],
    ["ids of Firebase", characters(ALPHANUMERIC, 28), 0.03],
  ])("refuses few of 4 000 %s", (_, ids, most) => {
    const sample = fc.sample(ids, { numRuns: 4_000, seed: 7 });
    const rules = sample.map((id) => ruleOf(id)).filter((rule) => rule !== undefined);
    expect(rules.length / sample.length).toBeLessThanOrEqual(most);
    expect(rules.filter((rule) => rule !== "card" && rule !== "walletAccount")).toEqual([]);
  });
});

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
