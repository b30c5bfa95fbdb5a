/** The longest delay of a timer in milliseconds, almost 25 days. Node runs longer ones at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;
