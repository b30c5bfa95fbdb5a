import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startQuickstart } from "@tillkit-examples/quickstart";
import { scenario } from "./scenario.js";

const dataDir = await mkdtemp(join(tmpdir(), "caller-backend-"));
const host = await startQuickstart({ port: 0, dataDir, print: () => undefined });
try {
  await scenario(host, (step) => {
    console.log(step);
  });
  console.log("every claim is true");
} catch (problem) {
  if (!(problem instanceof assert.AssertionError)) throw problem;
  console.error(`a claim is untrue: ${problem.message}`);
  process.exitCode = 1;
} finally {
  await host.close();
  await rm(dataDir, { recursive: true });
}
