import type { HttpRequest } from "@tillkit/core/http";
import type { Permission } from "@tillkit/core/operators";
import { operatorName } from "./command-of.js";
import type { RouteContext } from "./route-context.js";
import { isStillAllowed, RIGHTS_INTERVAL } from "./still-allowed.js";

/** What an export contains, and who may have it. */
export interface ExportRights {
  readonly permission: Permission;
  /** The apps of the export. `undefined` means every app. */
  readonly apps: readonly string[] | undefined;
}

/**
 * Passes on the blocks of an export as long as the operator has the right to it.
 *
 * Counts the export of the operator until it ends. Ends when the client disconnects. Throws if the
 * operator loses the session or the right, so that the connection breaks: an incomplete file must
 * not look complete.
 *
 * @param blocks - the text of the export. An empty block only gives an opportunity to check the
 *   right.
 */
export async function* guardedExport(
  context: Pick<RouteContext, "ports" | "access" | "exports" | "identified">,
  request: HttpRequest,
  { permission, apps }: ExportRights,
  blocks: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  const { clock } = context.ports;
  const release = context.exports.open(operatorName(context));
  // Concurrent requests may all have passed the check of the route.
  if (release === undefined) throw new Error("The export ended early: exports.limited.");
  try {
    let checked = clock.now();
    for await (const block of blocks) {
      if (request.client?.aborted === true) return;
      if (clock.now() - checked >= RIGHTS_INTERVAL) {
        checked = clock.now();
        if (!(await isStillAllowed(context, request, permission, apps)))
          throw new Error("The export ended early: permission.denied.");
      }
      if (block !== "") yield block;
    }
  } finally {
    release();
  }
}
