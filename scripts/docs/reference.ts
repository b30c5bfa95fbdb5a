import { cliPage } from "./cli-page.js";
import { coreProgram } from "./core-program.js";
import { paymentsEndpoints } from "./endpoints.js";
import { errorsPage } from "./errors-page.js";
import { httpPage } from "./http-page.js";
import { openApi } from "./openapi.js";
import { policyPage } from "./policy-page.js";
import { portsPage } from "./ports-page.js";

/** Every file of the reference that is made from sources alone, with its content, by its name in `docs/reference`. The same sources give the same bytes. */
export function reference(): ReadonlyMap<string, string> {
  const program = coreProgram();
  const endpoints = paymentsEndpoints(program);
  return new Map([
    ["cli.md", cliPage()],
    ["errors.md", errorsPage()],
    ["policy.md", policyPage(program)],
    ["ports.md", portsPage(program)],
    ["http.md", httpPage(endpoints)],
    ["openapi.json", openApi(endpoints)],
  ]);
}
