import { afterEach, beforeEach, describe } from "vitest";
import { testBodies } from "./binding-bodies.js";
import { testReplies } from "./binding-replies.js";
import { testRequests } from "./binding-requests.js";
import { testSockets } from "./binding-sockets.js";
import { testStreams } from "./binding-streams.js";
import type { BindingOptions, OpenBinding } from "../../support/http/open-binding.js";
import { openBindingFixture, type BindingFixture } from "../../support/http/binding-fixture.js";

/**
 * Tests that a binding passes requests and replies unchanged.
 *
 * @param open - Starts the host. It is called before each test.
 * @example
 * ```ts
 * import { bindingContract, listen } from "@tillkit/contract-tests";
 * import { surfaceRouter } from "@tillkit/express";
 *
 * bindingContract("express", async ({ payments, metrics, notifications }) => {
 *   const host = express();
 *   host.use("/pay", surfaceRouter(payments));
 *   host.use("/wallets", surfaceRouter(notifications));
 *   host.use(surfaceRouter(metrics));
 *   return listen(host);
 * });
 * ```
 */
export function bindingContract(
  binding: string,
  open: OpenBinding,
  options: BindingOptions = { urls: "as-written" },
): void {
  describe(`Binding contract: ${binding}`, () => {
    let fixture: BindingFixture;
    beforeEach(async () => {
      fixture = await openBindingFixture(open);
    });
    afterEach(() => fixture.close());

    testRequests(() => fixture, options);
    testBodies(() => fixture);
    testReplies(() => fixture);
    testStreams(() => fixture);
    testSockets(() => fixture);
  });
}
