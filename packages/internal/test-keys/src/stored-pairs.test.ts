import { createPrivateKey, createPublicKey } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withTemporaryFolder } from "@tillkit/repository";
import { expect, it } from "vitest";
import { storedPairs } from "./stored-pairs.js";
import { otherWalletKeys, testWalletKeys } from "./test-keys.js";

it(
  "storedPairs returns the same pairs to concurrent and later calls, and leaves one file",
  { tags: "slow" },
  async () => {
    await withTemporaryFolder(async (folder) => {
      const file = join(folder, "missing", "pairs.json");
      const [first, ...others] = await Promise.all([storedPairs(file), storedPairs(file), storedPairs(file)]);
      for (const pairs of [...others, await storedPairs(file)]) expect(pairs).toEqual(first);
      expect(await readdir(join(folder, "missing"))).toEqual(["pairs.json"]);
    });
  },
);

it("storedPairs replaces an invalid file", { tags: "slow" }, async () => {
  await withTemporaryFolder(async (folder) => {
    const file = join(folder, "pairs.json");
    await writeFile(file, "[{");
    const pairs = await storedPairs(file);
    expect(await storedPairs(file)).toEqual(pairs);
    expect(await readdir(folder)).toEqual(["pairs.json"]);
  });
});

it("the test keys are twelve different pairs of 2048 bits", () => {
  const pairs = [testWalletKeys, otherWalletKeys].flatMap(({ walletA, walletB, retired }) => [
    walletA.merchant,
    walletA.wallet,
    walletA.downloaded,
    walletB.app,
    walletB.wallet,
    retired,
  ]);
  expect(new Set(pairs.map(({ privateKey }) => privateKey)).size).toBe(12);
  for (const { publicKey, privateKey } of pairs) {
    expect(createPublicKey(createPrivateKey(privateKey)).equals(createPublicKey(publicKey))).toBe(true);
    expect(createPublicKey(publicKey).asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 });
  }
});
