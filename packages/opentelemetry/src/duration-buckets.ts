/** Upper limits of the buckets of durations, in seconds. A wallet may take five seconds. */
export const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Upper limits of the buckets of delays, in seconds. Wallets repeat notifications for a day. */
export const DELAY_BUCKETS = [0.5, 1, 2, 5, 10, 30, 60, 300, 1_800, 10_800, 86_400];
