/** Something was to be stored for apps that are not there, and nothing of it was. Register them with `createApp`, or name others. */
export interface UnknownAppFailure {
  readonly name: "app.unknown";
  /** The apps that are not there, by id: twenty at most. */
  readonly appIds: readonly string[];
}

/** How many unknown apps a failure names. */
export const UNKNOWN_APPS_NAMED = 20;

/** The failure over the apps `appIds`, which are not there: in the order of their ids. */
export function unknownApp(...appIds: readonly string[]): UnknownAppFailure {
  return { name: "app.unknown", appIds };
}
