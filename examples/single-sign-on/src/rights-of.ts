import type { Operator } from "@tillkit/core";

/** The group of each role, the one with the most rights first. */
const ROLES = [
  ["pay-admin", "admin"],
  ["pay-finance", "finance"],
  ["pay-support", "support"],
  ["pay-viewer", "viewer"],
] as const;
/** Members see every app. */
const EVERY_APP = "pay-every-app";
/** Members of `pay-app:app_1` see the app `app_1`. */
const ONE_APP = "pay-app:";

/**
 * Returns the rights of the groups: the highest role, and the apps.
 *
 * Without a group that names apps, the operator sees none: a group that somebody forgot must not
 * show every app.
 */
export function rightsOf(groups: readonly string[]): Pick<Operator, "role" | "apps"> | undefined {
  const role = ROLES.find(([group]) => groups.includes(group))?.[1];
  if (role === undefined) return undefined;
  if (groups.includes(EVERY_APP)) return { role };
  const apps = groups
    .filter((group) => group.startsWith(ONE_APP))
    .map((group) => group.slice(ONE_APP.length));
  return { role, apps };
}
