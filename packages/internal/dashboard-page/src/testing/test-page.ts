import type { OperatorRole } from "@tillkit/core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";
import { type Host, openHost } from "./open-host.js";
import { signIn } from "./sign-in.js";

/** A browser and a host for the tests of one file. */
export interface TestPages {
  readonly host: () => Host;
  /** Opens a view as a new operator. Without a role, the operator is not signed in. */
  readonly open: (path: string, options?: PageOptions) => Promise<Page>;
}

interface PageOptions extends BrowserContextOptions {
  readonly role?: OperatorRole;
  /** The apps that the operator sees. Defaults to every app. */
  readonly apps?: readonly string[];
}

/** Starts a browser and a host before the tests of a file, and ends both after them. */
export function testPages(prepare: (host: Host) => Promise<void> = async () => undefined): TestPages {
  let browser: Browser | undefined;
  let host: Host | undefined;
  let operators = 0;
  beforeAll(async () => {
    browser = await chromium.connect(inject("browserEndpoint"));
    host = await openHost(inject("pageFolder"));
    await prepare(host);
  });
  afterAll(async () => {
    await browser?.close();
    await host?.close();
  });
  return {
    host: () => started(host),
    open: async (path, { role, apps, ...options } = {}) => {
      const context = await started(browser).newContext({ locale: "en-US", ...options });
      if (role !== undefined) {
        operators += 1;
        const name = `${role}-${String(operators)}`;
        await started(host).create(name, role, apps);
        await signIn(started(host), context, name);
      }
      const page = await context.newPage();
      await page.goto(`${started(host).url}${path}`);
      return page;
    },
  };
}

function started<T>(one: T | undefined): T {
  if (one === undefined) throw new Error("The tests have not started yet.");
  return one;
}
