import { manyCases } from "@tillkit/contract-tests";
import type { OperatorRole } from "@tillkit/core/ports";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { afterAll, beforeAll, describe, inject } from "vitest";
import { type Host, type HostOptions, openHost } from "./open-host.js";
import { signIn } from "./sign-in.js";

/** A browser and hosts for the tests of one file. */
export interface TestPages {
  readonly host: () => Host;
  /** Opens a view as a new operator. Without a role, the operator is not signed in. */
  readonly open: (path: string, options?: PageOptions) => Promise<Page>;
  /** Opens a browser profile without an operator. */
  readonly profile: (options?: BrowserContextOptions) => Promise<BrowserContext>;
}

interface PageOptions extends BrowserContextOptions {
  readonly role?: OperatorRole;
  /** The apps that the operator sees. Defaults to every app. */
  readonly apps?: readonly string[];
}

/** How the hosts of a test are started, and what they get before the tests. */
interface TestOptions extends HostOptions {
  readonly prepare?: (host: Host) => Promise<void>;
}

/** Starts a browser and hosts before the tests of a file, and ends both after them. */
export function testPages({ prepare, ...options }: TestOptions = {}): TestPages {
  let browser: Browser | undefined;
  let host: Host | undefined;
  let operators = 0;
  beforeAll(async () => {
    browser = await chromium.connect(inject("browserEndpoint"));
    host = await openHost(inject("pageFolder"), options);
    await prepare?.(host);
  });
  afterAll(async () => {
    await browser?.close();
    await host?.close();
  });
  const profile = (how: BrowserContextOptions = {}) =>
    started(browser).newContext({ locale: "en-US", ignoreHTTPSErrors: true, ...how });
  return {
    host: () => started(host),
    profile,
    open: async (path, { role, apps, ...how } = {}) => {
      const context = await profile(how);
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

/** Every way in which a browser reaches hosts. Without slow tests, only the fastest. */
const WAYS: readonly Required<Pick<HostOptions, "storage" | "protocol">>[] = manyCases()
  ? (["pglite", "postgres"] as const).flatMap((storage) =>
      (["http/1.1", "h2"] as const).map((protocol) => ({ storage, protocol })),
    )
  : [{ storage: "memory", protocol: "http/1.1" }];

/**
 * Describes tests that must hold over every protocol and storage, with two hosts on PostgreSQL.
 *
 * @example
 * ```ts
 * describeEverywhere("a refund", {}, ({ host, open }) => {
 *   it("is made once", async () => undefined);
 * });
 * ```
 */
export function describeEverywhere(
  name: string,
  options: Omit<TestOptions, "storage" | "protocol">,
  tests: (pages: TestPages) => void,
): void {
  describe.each(WAYS)(`${name}, over $protocol on $storage`, (way) => {
    tests(testPages({ ...options, ...way }));
  });
}

function started<T>(one: T | undefined): T {
  if (one === undefined) throw new Error("The tests have not started yet.");
  return one;
}
