import { describe, expect, it } from "vitest";
import { credentialCipher } from "./credential-cipher.js";

const one = { version: 1, key: new Uint8Array(32).fill(1) };
const two = { version: 2, key: new Uint8Array(32).fill(2) };

describe("credentialCipher", () => {
  it("decrypts its own ciphertext, and never encrypts a text twice to the same ciphertext", () => {
    const cipher = credentialCipher([one]);
    for (const text of ["", "{}", "会员 😀", "x".repeat(10_000)]) {
      const sealed = cipher.seal(text, "owner");
      expect(cipher.open(sealed, "owner")).toBe(text);
      expect(cipher.seal(text, "owner")).not.toBe(sealed);
      expect(sealed).toMatch(/^v1:[\w-]+$/);
    }
  });

  it("decrypts nothing for another owner", () => {
    const cipher = credentialCipher([one]);
    expect(() => cipher.open(cipher.seal("secret", "left"), "right")).toThrow();
  });

  it("decrypts nothing after a byte was changed or removed", () => {
    const cipher = credentialCipher([one]);
    const [head = "", body = ""] = cipher.seal("secret", "owner").split(":");
    const bytes = Buffer.from(body, "base64url");
    for (let position = 0; position < bytes.length; position += 1) {
      const changed = Buffer.from(bytes);
      changed[position] = (bytes[position] ?? 0) ^ 1;
      expect(() => cipher.open(`${head}:${changed.toString("base64url")}`, "owner")).toThrow();
      const cut = bytes.subarray(0, position).toString("base64url");
      expect(() => cipher.open(`${head}:${cut}`, "owner")).toThrow();
    }
  });

  it("encrypts with the first key and decrypts with all keys", () => {
    const old = credentialCipher([one]).seal("secret", "owner");
    const both = credentialCipher([two, one]);
    expect(both.open(old, "owner")).toBe("secret");
    expect(both.isCurrent(old)).toBe(false);
    const fresh = both.seal("secret", "owner");
    expect(both.isCurrent(fresh)).toBe(true);
    expect(() => credentialCipher([one]).open(fresh, "owner")).toThrow(/no credential key with version 2/);
  });

  it("keeps its keys if the caller overwrites the bytes", () => {
    const key = new Uint8Array(32).fill(7);
    const cipher = credentialCipher([{ version: 1, key }]);
    const sealed = cipher.seal("secret", "owner");
    key.fill(0);
    expect(cipher.open(sealed, "owner")).toBe("secret");
  });

  it("rejects an empty key list, a wrong length, and an invalid or repeated version", () => {
    expect(() => credentialCipher([])).toThrow(/At least one/);
    expect(() => credentialCipher([{ version: 3, key: new Uint8Array(31) }])).toThrow(/31 bytes/);
    expect(() => credentialCipher([{ ...one, version: 0 }])).toThrow(/positive integer/);
    expect(() => credentialCipher([one, { ...two, version: 1 }])).toThrow("have the same version");
  });
});
