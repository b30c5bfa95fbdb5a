import { describe } from "vitest";
import type { Opened } from "../../support/open-before-each.js";
import { serviceStarter, type StartService } from "../../support/http/service.js";
import type { TestHost } from "../../support/http/test-host.js";
import type { OpenBinding } from "../../support/http/open-binding.js";
import { optionalTextsContract } from "./optional-texts.js";
import { trailingSlashesContract } from "./trailing-slashes.js";
import { wireNamesContract } from "./wire-names.js";

/**
 * Tests the forms of requests: names that a host sets, empty texts, and slashes after a path.
 *
 * A part of `apiContract`, for a storage adapter whose own suites test all other requirements.
 *
 * @param openBinding - Mounts the surfaces. It is called before each test.
 * @param openHost - Returns empty ports. It is called before each test.
 * @example
 * ```ts
 * import { listen, requestFormsContract } from "@tillkit/contract-tests";
 * import { memoryPorts } from "@tillkit/memory";
 * import { nodeListener } from "@tillkit/node";
 *
 * requestFormsContract(
 *   "my storage",
 *   ({ payments, metrics, notifications }) =>
 *     listen(nodeListener({ "/pay": payments, "/wallets": notifications, "/": metrics })),
 *   async () => ({ port: memoryPorts(), close: async () => {} }),
 * );
 * ```
 */
export function requestFormsContract(
  name: string,
  openBinding: OpenBinding,
  openHost: () => Promise<Opened<TestHost>>,
): void {
  describe(`Contract of request forms: ${name}`, () =>
    testRequestForms(serviceStarter(openBinding, openHost)));
}

/** The tests of {@link requestFormsContract}. */
export function testRequestForms(start: StartService): void {
  describe("optional texts:", () => optionalTextsContract(start));
  describe("a slash after a path:", () => trailingSlashesContract(start));
  describe("names on the wire:", () => wireNamesContract(start));
}
