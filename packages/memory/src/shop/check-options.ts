import type { ShopOptions } from "./shop.js";

const OPTIONS = {
  stores: true,
  policy: true,
  startAt: true,
  seed: true,
  notificationsUrl: true,
  deliver: true,
} as const satisfies Record<keyof ShopOptions, true>;

/** Throws if an option does not exist, because a misspelled option would have no effect. */
export function checkOptions(options: ShopOptions): void {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown.length > 0)
    throw new TypeError(
      `A shop has no option "${unknown.join('", "')}". Use one of: ${Object.keys(OPTIONS).join(", ")}.`,
    );
  const { startAt = 0 } = options;
  if (!Number.isSafeInteger(startAt) || startAt < 0)
    throw new RangeError(
      `The clock must start at a whole number of milliseconds, not at ${String(startAt)}.`,
    );
}
