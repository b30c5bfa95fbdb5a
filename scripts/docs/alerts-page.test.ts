import { readFileSync } from "node:fs";
import { root } from "@tillkit/repository";
import { commandHelp } from "tillkit";
import { expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { alertRules } from "./alerts-page.js";

const commands = new Set(commandHelp().map(({ command }) => command));

it.each(alertRules().map((rule) => [rule.alert, rule] as const))(
  "%s names what to do in both languages, with commands that exist",
  (alert, { annotations }) => {
    const { action, action_zh: chinese, runbook_url: url } = annotations;
    expect(url.endsWith(`/docs/reference/alerts.md#${alert.toLowerCase()}`)).toBe(true);
    const named = [...action.matchAll(/`(tillkit [a-z -]+?)(?: --\S+)?`/g)].map(
      ([, command = ""]) => command,
    );
    for (const command of named) {
      expect(commands).toContain(command);
      expect(chinese).toContain(command);
    }
  },
);

const annotated = z.object({ exp_annotations: z.record(z.string(), z.string()) });
const ruleTests = z.object({
  tests: z.array(
    z.object({
      alert_rule_test: z
        .array(z.object({ alertname: z.string(), exp_alerts: z.array(annotated) }))
        .default([]),
    }),
  ),
});

// `promtool test rules` compares all texts, but not every machine has it.
it("the tests of the rules expect what the rules say to do", () => {
  const text = readFileSync(`${root}ops/prometheus-rules.test.yaml`, "utf8");
  const fired = ruleTests
    .parse(parse(text))
    .tests.flatMap((test) =>
      test.alert_rule_test.flatMap(({ alertname, exp_alerts: alerts }) =>
        alerts.map(({ exp_annotations: { action, action_zh } }) => ({ alertname, action, action_zh })),
      ),
    );
  const rules = new Map(alertRules().map(({ alert, annotations }) => [alert, annotations]));
  expect(fired.length).toBeGreaterThan(0);
  for (const { alertname, ...texts } of fired) expect(rules.get(alertname)).toMatchObject(texts);
});
