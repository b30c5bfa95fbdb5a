import {
  type AlertChannel,
  type CredentialExpiries,
  type Ports,
  readCredentialExpiries,
  sendAlerts,
} from "@tillkit/core";
import { okAsync } from "neverthrow";
import type { OwnTask } from "../background.js";

/** How often a process looks whether a channel is due, in milliseconds. */
const ALERTS_EVERY_MS = 10_000;
/** How long the expiries of credentials are remembered. Reading them decrypts every pay tool. */
const EXPIRIES_FOR_MS = 600_000;

/**
 * Returns the task of each channel by its name: `alerts:` and the name of the channel.
 *
 * Each has its own loop, so a slow channel does not delay the others. Throws a `TypeError` if two
 * channels have the same name.
 */
export function alertTasks(
  ports: Ports,
  channels: readonly AlertChannel[],
  dashboardUrl: string | undefined,
  everyMs = ALERTS_EVERY_MS,
): Readonly<Record<string, OwnTask>> {
  const repeated = channels.find(({ name }, index) => channels.findIndex((one) => one.name === name) < index);
  if (repeated !== undefined) throw new TypeError(`Two alert channels have the name "${repeated.name}".`);
  let known: { readonly read: CredentialExpiries; readonly at: number } | undefined;
  const readExpiries = () => {
    const now = ports.clock.now();
    const isFresh = known !== undefined && Math.abs(now - known.at) < EXPIRIES_FOR_MS;
    const read = isFresh && known !== undefined ? okAsync(known.read) : readCredentialExpiries(ports);
    return read.map((found) => {
      if (!isFresh) known = { read: found, at: now };
      return found.expiries;
    });
  };
  const step = (channel: AlertChannel) => () =>
    sendAlerts(ports, channel, { readExpiries, dashboardUrl }).map(() => ({ more: false }));
  return Object.fromEntries(
    channels.map((channel) => [`alerts:${channel.name}`, { step: step(channel), everyMs }]),
  );
}
