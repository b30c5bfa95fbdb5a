export {
  BACKGROUND_TASKS,
  type BackgroundOptions,
  type BackgroundTask,
  type OwnTask,
  type TaskFailure,
  type TaskStep,
} from "./background.js";
export { createTillkit, type Tillkit, type TillkitOptions } from "./create-tillkit.js";
export type { TimeOfDay } from "./daily-bills.js";
export type { CheckStorage, Health, TaskHealth } from "./health.js";
