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
export type { HandlerOrOptions } from "./event-tasks.js";
export { onEvent, type OnEventOptions, type RunningHandler } from "./on-event.js";
export type { CheckStorage, Health, TaskHealth } from "./health.js";
