/** The longest delay of a timer in milliseconds: 25 days. Node runs a longer timer at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;
