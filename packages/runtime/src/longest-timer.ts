/** The longest delay of a timer in milliseconds, almost 25 days. Node changes a longer one to 1. */
export const LONGEST_TIMER_MS = 2_147_483_647;
