/** Data for unknown apps was rejected, and nothing was stored. Register them with `createApp`. */
export interface UnknownAppFailure {
  readonly name: "app.unknown";
  /** Ids of the unknown apps, at most {@link MAX_UNKNOWN_APPS_LISTED}. */
  readonly appIds: readonly string[];
}

/** The largest number of app ids in an {@link UnknownAppFailure}. */
export const MAX_UNKNOWN_APPS_LISTED = 20;

/** Returns the failure for unknown apps. The caller sorts `appIds` and limits their number. */
export function unknownApp(...appIds: readonly string[]): UnknownAppFailure {
  return { name: "app.unknown", appIds };
}
