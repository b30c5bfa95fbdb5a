import { describe, expect, it } from "vitest";
import { credentialsCache } from "./credentials-cache.js";
import { testPairs } from "../testing/keys.js";

const [app, wallet, next] = testPairs;
const one = { credentials: { appPrivateKey: app.pkcs8, alipayPublicKey: wallet.spki } };
const two = { credentials: { appPrivateKey: app.pkcs8, alipayPublicKey: next.spki } };
const three = { credentials: { appPrivateKey: next.pkcs8, alipayPublicKey: wallet.spki } };

describe("credentialsCache", () => {
  it("parses the same credentials once, in whatever order and object they come", () => {
    const read = credentialsCache(2);
    const { appPrivateKey, alipayPublicKey } = one.credentials;
    expect(read({ credentials: { alipayPublicKey, appPrivateKey } })).toBe(read(one));
  });

  it("reads replaced keys anew", () => {
    const read = credentialsCache(2);
    expect(read(two)).not.toBe(read(one));
    expect(read({ credentials: {} }).isErr()).toBe(true);
  });

  it("holds as many as it may, those used last", () => {
    const read = credentialsCache(2);
    const [first, second] = [read(one), read(two)];
    expect(read(one)).toBe(first);
    read(three);
    expect(read(one)).toBe(first);
    expect(read(two)).not.toBe(second);
  });
});
