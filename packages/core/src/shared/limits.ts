const DAY = 86_400_000;

/**
 * The longest configurable duration: a hundred years, in milliseconds.
 *
 * The sum of thousands of such durations is still a safe integer.
 */
export const LONGEST_DURATION = 36_525 * DAY;

/** The longest time for which the previous secret of an app can stay valid, in milliseconds. */
export const LONGEST_OVERLAP = 366 * DAY;

/**
 * The largest count that an operator can set.
 *
 * The sum of such counts over years and app stores is still exact.
 */
export const LARGEST_COUNT = 10_000_000_000;

/**
 * The longest `bizNo`, `customerIdentity` or service number that a policy can allow, in characters.
 *
 * An index of the database cannot hold longer texts. Stored texts of this length stay readable
 * after the limit of the policy was lowered.
 */
export const LONGEST_KEY = 255;

/** The maximum length of a token or channel name that a host sets, in characters. */
export const LONGEST_WIRE_NAME = 64;

/** The last instant that a `Date` can represent, in epoch milliseconds. */
export const LAST_TIME = 8_640_000_000_000_000;
