import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openOrCreateKeyring } from "@tillkit/runtime";

// Under Jest, the errors of Node are no instances of the test's `Error`.
test("a missing key file is created", async () => {
  const folder = await mkdtemp(join(tmpdir(), "keys-"));
  const opened = await openOrCreateKeyring(join(folder, "keys.json"));
  await rm(folder, { recursive: true });
  expect(opened.isOk()).toBe(true);
});
