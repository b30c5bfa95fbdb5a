import { readFileSync } from "node:fs";
import { root } from "@tillkit/repository";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { shortenRules } from "./shorten-rules.js";

const rules = z.object({
  groups: z.tuple([
    z.object({
      rules: z.array(z.object({ alert: z.string(), expr: z.string(), for: z.string().optional() })),
    }),
  ]),
});
const text = readFileSync(`${root}ops/prometheus-rules.yaml`, "utf8");

function ruleOf(alert: string, factor: number) {
  const [group] = rules.parse(JSON.parse(shortenRules(text, factor))).groups;
  return group.rules.find((rule) => rule.alert === alert);
}

it("shortenRules keeps every alert", () => {
  const names = (read: unknown) => rules.parse(read).groups[0].rules.map(({ alert }) => alert);
  expect(names(JSON.parse(shortenRules(text, 30)))).toEqual(names(parse(text)));
});

it("shortenRules divides the time for which a condition holds, and the ranges", () => {
  expect(ruleOf("TillkitStorageFails", 30)).toMatchObject({ for: "10000ms" });
  expect(ruleOf("TillkitStorageFails", 30)?.expr).toMatch(/\}\[10000ms\]\)\) > 0$/);
  expect(ruleOf("TillkitApprovalWaiting", 60)).toMatchObject({ for: "240000ms" });
});

it.each([
  ["TillkitEventsLate", 4, "> 75"],
  ["TillkitQueueLate", 2, "> 60"],
  ["TillkitQueueLate", 30, "> 30"],
  ["TillkitOrdersNotQueried", 10, "> 30"],
])("shortenRules divides the limit of %s, which is in seconds, by %d", (alert, factor, end) => {
  expect(ruleOf(alert, factor)?.expr.endsWith(end)).toBe(true);
});

it.each([
  ["TillkitNotificationsRefused", "> 10"],
  ["TillkitRefundOverdue", "> 5 * 86400"],
  ["TillkitEventLoopSlow", "> 0.2"],
  ["TillkitCredentialExpires", "< 30 * 86400"],
])("shortenRules keeps the limit of %s", (alert, end) => {
  expect(ruleOf(alert, 30)?.expr.endsWith(end)).toBe(true);
});

it("shortenRules keeps the time of the alert that depends on the machine", () => {
  expect(ruleOf("TillkitEventLoopSlow", 30)).toMatchObject({ for: "5m" });
});
