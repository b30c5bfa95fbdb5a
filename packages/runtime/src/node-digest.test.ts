import { describe, expect, it } from "vitest";
import { nodeDigest } from "./node-digest.js";

const KEY = "an-example-key-of-thirty-two-byte";

describe("nodeDigest", () => {
  it("returns the SHA-256 of the UTF-8 bytes in lower-case hexadecimal", () => {
    const digest = nodeDigest({ peppers: [{ version: 1, key: KEY }] });
    // The FIPS 180-4 example, and a non-ASCII text whose hash `sha256sum` computed.
    expect(digest.sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(digest.sha256("会员 😀")).toBe("bec995fb5d76f7ea9c0f155fcbe277b3efd4108ecd2a5d38f6d217587656a236");
  });

  it("returns the HMAC-SHA-256 under the pepper, with its version", () => {
    // RFC 4231, test case 6: a key longer than the block.
    const digest = nodeDigest({ peppers: [{ version: 7, key: new Uint8Array(131).fill(0xaa) }] });
    expect(digest.keyed("Test Using Larger Than Block-Size Key - Hash Key First")).toEqual([
      "v7:60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ]);
  });

  it("returns one value per pepper, in the order of the list", () => {
    const older = nodeDigest({ peppers: [{ version: 1, key: KEY }] }).keyed("text");
    const both = nodeDigest({
      peppers: [
        { version: 3, key: `${KEY}-3` },
        { version: 2, key: `${KEY}-2` },
        { version: 1, key: KEY },
      ],
    }).keyed("text");
    expect(both.map((hash) => hash.slice(0, 3))).toEqual(["v3:", "v2:", "v1:"]);
    expect(both[0]).toMatch(/^v3:[0-9a-f]{64}$/);
    expect(both[2]).toBe(older[0]);
    expect(new Set(both.map((hash) => hash.slice(3))).size).toBe(3);
  });

  it("treats a text and its UTF-8 bytes as the same key", () => {
    const text = nodeDigest({ peppers: [{ version: 1, key: KEY }] });
    const bytes = nodeDigest({ peppers: [{ version: 1, key: new TextEncoder().encode(KEY) }] });
    expect(text.keyed("x")).toEqual(bytes.keyed("x"));
  });

  it("keeps its keys if the caller overwrites the bytes", () => {
    const key = new TextEncoder().encode(KEY);
    const digest = nodeDigest({ peppers: [{ version: 1, key }] });
    const before = digest.keyed("x");
    key.fill(0);
    expect(digest.keyed("x")).toEqual(before);
  });

  it("rejects a short key, with the version and without the key in the message", () => {
    const short = "s3cret-s3cret-s3cret-s3cret-s3c";
    const attempt = () => nodeDigest({ peppers: [{ version: 4, key: short }] });
    expect(attempt).toThrow(/version 4 has a key of 31 bytes/);
    expect(attempt).not.toThrow(/s3cret/);
  });

  it("rejects an empty list, an invalid version, and a repeated version", () => {
    expect(() => nodeDigest({ peppers: [] })).toThrow(/At least one pepper/);
    expect(() => nodeDigest({ peppers: [{ version: 0, key: KEY }] })).toThrow(/positive integer/);
    const twice = [
      { version: 1, key: KEY },
      { version: 1, key: `${KEY}-2` },
    ];
    expect(() => nodeDigest({ peppers: twice })).toThrow(/same version/);
  });
});
