import { expect, it } from "vitest";
import { commandHelp } from "tillkit";
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
