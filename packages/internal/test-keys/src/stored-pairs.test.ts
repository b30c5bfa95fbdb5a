import { createPrivateKey, createPublicKey } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withTemporaryFolder } from "@tillkit/repository";
import { expect, it } from "vitest";
import { storedPairs } from "./stored-pairs.js";
import { otherWalletKeys, rsaPairs, testWalletKeys } from "./test-keys.js";

it("gives every process the same pairs, whole, and replaces a broken file", { tags: "slow" }, async () => {
  await withTemporaryFolder(async (folder) => {
    const file = join(folder, "not-there-yet", "pairs.json");
    const pairs = await storedPairs(file);
    await expect(storedPairs(file)).resolves.toEqual(pairs);
    expect(await readdir(join(folder, "not-there-yet"))).toEqual(["pairs.json"]);

    const text = await readFile(file, "utf8");
    await writeFile(file, text.slice(0, -1));
    await expect(storedPairs(file)).resolves.not.toEqual(pairs);
  });
});

it("has different pairs, each of one public and one private key of 2048 bits", () => {
  const privateKeys = JSON.stringify([testWalletKeys, otherWalletKeys]).match(/BEGIN PRIVATE KEY-----[^-]+/g);
  expect(new Set(privateKeys).size).toBe(12);
  for (const { publicKey, privateKey } of rsaPairs) {
    expect(createPublicKey(createPrivateKey(privateKey)).equals(createPublicKey(publicKey))).toBe(true);
    expect(createPublicKey(publicKey).asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 });
  }
});
