import assert from "node:assert/strict";
import { startLocalService } from "./local-service.js";
import { scenario } from "./scenario.js";

const host = await startLocalService();
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
}
