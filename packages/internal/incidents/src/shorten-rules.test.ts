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

it("keeps every alert", () => {
  const names = (read: unknown) => rules.parse(read).groups[0].rules.map(({ alert }) => alert);
  expect(names(JSON.parse(shortenRules(text, 30)))).toEqual(names(parse(text)));
});

it("divides the time for which a condition holds, and the ranges", () => {
  expect(ruleOf("TillkitStorageFails", 30)).toMatchObject({ for: "10000ms" });
  expect(ruleOf("TillkitStorageFails", 30)?.expr).toMatch(/\}\[10000ms\]\)\) > 0$/);
  expect(ruleOf("TillkitApprovalWaiting", 60)).toMatchObject({ for: "240000ms" });
});

it.each([
  ["TillkitEventsLate", 4, "> 75"],
  ["TillkitQueueLate", 2, "> 60"],
  ["TillkitQueueLate", 30, "> 30"],
  ["TillkitOrdersNotQueried", 10, "> 30"],
])("divides the limit of %s by %d, which is in seconds", (alert, factor, end) => {
  expect(ruleOf(alert, factor)?.expr.endsWith(end)).toBe(true);
});

it.each([
  ["TillkitNotificationsRefused", "> 10"],
  ["TillkitRefundOverdue", "> 5 * 86400"],
  ["TillkitEventLoopSlow", "> 0.2"],
  ["TillkitCredentialExpires", "< 30 * 86400"],
])("keeps the limit of %s", (alert, end) => {
  expect(ruleOf(alert, 30)?.expr.endsWith(end)).toBe(true);
});

it("keeps the time of the alert that depends on the machine", () => {
  expect(ruleOf("TillkitEventLoopSlow", 30)).toMatchObject({ for: "5m" });
});
