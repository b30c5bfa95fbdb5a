import { describe, expect, it } from "vitest";
import { credentialsCache } from "./credentials-cache.js";
import { testPairs } from "../testing/keys.js";

const [app, wallet, next] = testPairs;
const one = { credentials: { appPrivateKey: app.pkcs8, alipayPublicKey: wallet.spki } };
const two = { credentials: { appPrivateKey: app.pkcs8, alipayPublicKey: next.spki } };
const three = { credentials: { appPrivateKey: next.pkcs8, alipayPublicKey: wallet.spki } };

describe("credentialsCache", () => {
  it("parses equal credentials once, for any object and order of members", () => {
    const read = credentialsCache(2);
    const { appPrivateKey, alipayPublicKey } = one.credentials;
    expect(read({ credentials: { alipayPublicKey, appPrivateKey } })).toBe(read(one));
  });

  it("parses replaced keys again", () => {
    const read = credentialsCache(2);
    expect(read(two)).not.toBe(read(one));
    expect(read({ credentials: {} }).isErr()).toBe(true);
  });

  it("respects its size, and keeps the most recently used credentials", () => {
    const read = credentialsCache(2);
    const [first, second] = [read(one), read(two)];
    expect(read(one)).toBe(first);
    read(three);
    expect(read(one)).toBe(first);
    expect(read(two)).not.toBe(second);
  });
});
