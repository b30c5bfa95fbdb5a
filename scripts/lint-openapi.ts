// Lints the OpenAPI documents with the rules of redocly.yaml. A warning is a failure.
import { fileURLToPath } from "node:url";
import { root, run } from "@tillkit/repository";

const redocly = fileURLToPath(new URL("bin/cli.js", import.meta.resolve("@redocly/cli/package.json")));
const { code, output } = await run(process.execPath, [redocly, "lint", "tillkit", "operators"], root, {
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  REDOCLY_TELEMETRY: "off",
});
const hasWarnings = /You have \d+ warning/u.test(output);
console.log(output.trim());
process.exitCode = code !== 0 || hasWarnings ? 1 : 0;
