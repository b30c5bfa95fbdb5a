import { type AlertChannel, cachedExpiries, type Ports, sendAlerts } from "@tillkit/core";
import type { OwnTask } from "../task.js";

/** The pause between two checks of whether an alert is due, in milliseconds. */
const ALERTS_EVERY_MS = 10_000;

/**
 * Returns a task for each channel. The name of the task is `alerts:` and the name of the channel.
 *
 * Each task has its own loop, so a slow channel does not delay the others. Throws a `TypeError` if
 * two channels have the same name.
 */
export function alertTasks(
  ports: Ports,
  channels: readonly AlertChannel[],
  dashboardUrl: string | undefined,
  everyMs = ALERTS_EVERY_MS,
): Readonly<Record<string, OwnTask>> {
  const repeated = channels.find(({ name }, index) => channels.findIndex((one) => one.name === name) < index);
  if (repeated !== undefined) throw new TypeError(`Two alert channels have the name "${repeated.name}".`);
  const readExpiries = cachedExpiries(ports);
  const step = (channel: AlertChannel) => () =>
    sendAlerts(ports, channel, { readExpiries, dashboardUrl }).map(() => ({ more: false }));
  return Object.fromEntries(
    channels.map((channel) => [`alerts:${channel.name}`, { step: step(channel), everyMs }]),
  );
}
