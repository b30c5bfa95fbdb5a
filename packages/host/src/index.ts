export { ALERT_VARIABLES, alertChannelsFrom } from "./alerts/alert-channels-from.js";
export { dingtalkChannel, type DingtalkOptions } from "./alerts/dingtalk-channel.js";
export { feishuChannel, type FeishuOptions } from "./alerts/feishu-channel.js";
export { jsonChannel, type JsonChannelOptions } from "./alerts/json-channel.js";
export { slackChannel } from "./alerts/slack-channel.js";
export type { ChannelOptions } from "./alerts/webhook.js";
export { wecomChannel } from "./alerts/wecom-channel.js";
export type { AroundStep, StepRun } from "./around-step.js";
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
