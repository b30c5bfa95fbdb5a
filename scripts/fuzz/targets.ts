import type { Target } from "./attack.js";
import { metrics } from "./metrics.js";
import { notifications } from "./notifications.js";
import { payments } from "./payments.js";

/** Everything that takes what strangers send. */
export const TARGETS: readonly Target[] = [payments(), metrics(), notifications()];
