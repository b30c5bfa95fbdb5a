import assert from "node:assert/strict";
import { startLocalService } from "./local-service.js";
import { scenario } from "./scenario.js";

const host = await startLocalService();
try {
  await scenario(host, (step) => {
    console.log(step);
  });
  console.log("every check passed");
} catch (problem) {
  if (!(problem instanceof assert.AssertionError)) throw problem;
  console.error(`a check failed: ${problem.message}`);
  process.exitCode = 1;
} finally {
  await host.close();
}
