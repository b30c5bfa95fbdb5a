import { orThrow } from "@tillkit/core";
import type { Environment } from "./environment.js";
import { DAY, HOUR, type Life, MINUTE } from "./month-plan.js";
import type { World } from "./world.js";

/** Returns lines about everything that happened to one order, at Tillkit and at the wallet. */
export async function storyOf(
  environment: Environment,
  world: World,
  life: Life,
  startedAt: number,
): Promise<readonly string[]> {
  const { ports, appId, sandbox } = environment;
  const { deeds, ...facts } = life;
  const { bizNo, payChannel } = life;
  const when = (at: number) => {
    const after = at - startedAt;
    const [days, hours] = [Math.floor(after / DAY), Math.floor((after % DAY) / HOUR)];
    const minutes = Math.floor((after % HOUR) / MINUTE);
    return `day ${String(days).padStart(2)} ${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
  };
  const lines = [`plan ${JSON.stringify(facts)}`];
  const happenings = deeds.map((deed) => ({
    at: startedAt + deed.at,
    text: `people: ${JSON.stringify(deed)}`,
  }));
  const timeline = await orThrow(ports.orders.timeline({ appId, bizNo }));
  for (const { at, type, refundNo, details } of timeline)
    happenings.push({ at, text: `record: ${type} ${refundNo ?? ""} ${JSON.stringify(details)}` });
  const numbers = world.numbersOf(bizNo);
  for (const { at, kind, refundNo, isHeld } of environment.calls[payChannel])
    if (numbers.some((number) => refundNo.startsWith(number)))
      happenings.push({ at, text: `call: ${kind} ${refundNo}${isHeld ? ", which the wallet has" : ""}` });
  for (const outTradeNo of numbers)
    for (const { at, about, status, as } of sandbox.simulatorControls.sent(outTradeNo))
      happenings.push({ at, text: `notification: ${about} ${as ?? ""} answered with ${String(status)}` });
  happenings.sort((left, right) => left.at - right.at);
  const isRepeated = (text: string, index: number) =>
    text.startsWith("call: query") && happenings[index - 1]?.text === text;
  for (const [index, { at, text }] of happenings.entries())
    if (!isRepeated(text, index)) lines.push(`${when(at)}  ${text}`);
  for (const refund of await world.refundsOf(bizNo)) lines.push(`refund here: ${JSON.stringify(refund)}`);
  for (const outTradeNo of numbers) {
    lines.push(
      `at the wallet: ${JSON.stringify(sandbox.simulatorControls.order(outTradeNo).unwrapOr(undefined))}`,
    );
    for (const refund of sandbox.refundControls.refundsOf(outTradeNo))
      lines.push(`refund at the wallet: ${JSON.stringify(refund)}`);
  }
  for (const [name, cents] of world.cash)
    if (name.startsWith(`${bizNo} `)) lines.push(`in cash: ${name} ${String(cents)}`);
  return lines;
}
