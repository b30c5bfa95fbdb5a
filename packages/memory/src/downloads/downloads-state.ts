import type { StoreName } from "@tillkit/core/ports";
import type { AuditState } from "../audit/audit-log.js";
import type { MemoryState } from "../state/memory-state.js";

/** The part of the data that contains the download counts and the registry of stores. */
export type DownloadsState = Pick<MemoryState, "apps" | "downloads" | "storeNames"> & AuditState;

/** Returns the rows of the registry. */
export function namesIn(storeNames: ReadonlyMap<string, string>): readonly StoreName[] {
  return [...storeNames].map(([name, store]) => ({ name, store }));
}
