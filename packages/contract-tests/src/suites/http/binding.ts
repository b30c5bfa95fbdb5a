import type { Surface } from "@tillkit/core/http";
import { afterEach, beforeEach, describe } from "vitest";
import { bodyPromises } from "./binding-bodies.js";
import { replyPromises } from "./binding-replies.js";
import { requestPromises } from "./binding-requests.js";
import { socketPromises } from "./binding-sockets.js";
import { openBindingWorld, type BindingWorld } from "../../support/http/binding-world.js";

/**
 * Starts a host that mounts the three surfaces through a binding: payments at `${baseUrl}/pay`, metrics at `baseUrl` itself,
 * notifications at `${baseUrl}/wallets`. The host answers 404 to everything they do not own. `baseUrl` has no trailing slash.
 */
export type OpenBinding = (surfaces: {
  readonly payments: Surface;
  readonly metrics: Surface;
  readonly notifications: Surface;
}) => Promise<{ readonly baseUrl: string; close(): Promise<void> }>;

/** What a platform does before a binding sees a request. */
export interface BindingOptions {
  /** `"parsed"` where requests come with a parsed URL, as a `Request` does: its dot segments are resolved. */
  readonly urls: "as-written" | "parsed";
}

/** Every promise of a binding: requests reach the surface and replies reach the client unaltered. `open` is called before each test. */
export function bindingContract(
  binding: string,
  open: OpenBinding,
  options: BindingOptions = { urls: "as-written" },
): void {
  describe(`Binding contract: ${binding}`, () => {
    let world: BindingWorld;
    beforeEach(async () => {
      world = await openBindingWorld(open);
    });
    afterEach(() => world.close());

    requestPromises(() => world, options);
    bodyPromises(() => world);
    replyPromises(() => world);
    socketPromises(() => world);
  });
}
