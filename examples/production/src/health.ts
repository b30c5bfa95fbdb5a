import type { StorageFailure } from "@tillkit/core/errors";
import type { SchemaFailure } from "@tillkit/postgres";
import type { ResultAsync } from "neverthrow";
import { withDeadline } from "./deadline.js";

/** Whether a host should be sent requests, and why not. */
export type Readiness =
  { readonly ready: true } | { readonly ready: false; readonly why: "shutting down" | "database" | "schema" };

/** Decides about readiness. */
export interface Health {
  ready(): Promise<Readiness>;
  /** From now on the host is not ready, whatever else is well. */
  shutDown(): void;
}

/**
 * Readiness of a host that is not stopping, whose database answers `checkSchema` within `deadline` milliseconds, and whose schema is one this
 * version can work with. Any number of probes at once cost one check.
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
