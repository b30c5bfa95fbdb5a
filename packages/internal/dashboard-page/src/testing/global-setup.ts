import startPostgres from "@tillkit/local-postgres/vitest";
import type { TestProject } from "vitest/node";
import { ensurePage } from "../ensure-page.js";
import { openBrowser } from "./open-browser.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Where tests connect to Chromium. */
    readonly browserEndpoint: string;
    /** The folder of the built page. */
    readonly pageFolder: string;
  }
}

/** Builds the page and starts one browser for all tests, and PostgreSQL if slow tests run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { TEST_CASES } = process.env;
  const stopPostgres = TEST_CASES === "many" ? await startPostgres(project) : undefined;
  const [pageFolder, browser] = await Promise.all([ensurePage(), openBrowser()]);
  project.provide("pageFolder", pageFolder);
  project.provide("browserEndpoint", browser.wsEndpoint());
  return async () => {
    await browser.close();
    await stopPostgres?.();
  };
}
