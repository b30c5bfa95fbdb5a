import type { StorageFailure } from "@tillkit/core/errors";
import type { SchemaFailure } from "@tillkit/postgres";
import type { ResultAsync } from "neverthrow";
import { withDeadline } from "./deadline.js";

/** Whether a host should receive requests, and why not. */
export type Readiness =
  { readonly ready: true } | { readonly ready: false; readonly why: "shutting down" | "database" | "schema" };

/** Decides whether a host is ready. */
export interface Health {
  ready(): Promise<Readiness>;
  /** Makes the host not ready for the rest of its life. */
  shutDown(): void;
}

/**
 * Creates the readiness check of a host. Concurrent probes share one check.
 *
 * The host is ready if it is not stopping, and if `checkSchema` succeeds within `deadline`
 * milliseconds.
 */
export function openHealth(
  checkSchema: () => ResultAsync<unknown, SchemaFailure | StorageFailure>,
  deadline: number,
): Health {
  let stopping = false;
  let underWay: Promise<Readiness> | undefined;

  async function check(): Promise<Readiness> {
    const state = await checkSchema();
    if (state.isOk()) return { ready: true };
    return { ready: false, why: state.error.name === "storage.unavailable" ? "database" : "schema" };
  }

  return {
    ready: async () => {
      if (stopping) return { ready: false, why: "shutting down" };
      underWay ??= check().finally(() => {
        underWay = undefined;
      });
      const found = await withDeadline(underWay, deadline);
      return found === "late" ? { ready: false, why: "database" } : found;
    },
    shutDown: () => {
      stopping = true;
    },
  };
}
