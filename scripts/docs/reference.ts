import type ts from "typescript";
import { alertsPage } from "./alerts-page.js";
import { cliPage } from "./cli-page.js";
import { paymentsEndpoints } from "./endpoints.js";
import { errorsPage } from "./errors-page.js";
import { httpPage } from "./http-page.js";
import { policyPage } from "./policy-page.js";
import { portsPage } from "./ports-page.js";

/**
 * Creates the content of every reference page that needs only sources, by its file name.
 *
 * The same sources give the same bytes.
 *
 * @param program - The program of the sources of core.
 */
export function reference(program: ts.Program): ReadonlyMap<string, string> {
  const endpoints = paymentsEndpoints(program);
  return new Map([
    ["alerts.md", alertsPage()],
    ["cli.md", cliPage()],
    ["errors.md", errorsPage()],
    ["policy.md", policyPage(program)],
    ["ports.md", portsPage(program)],
    ["http.md", httpPage(endpoints)],
  ]);
}
