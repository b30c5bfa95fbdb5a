import { readFileSync } from "node:fs";
import { type Permission, PERMISSIONS } from "@tillkit/core/operators";
import { expect, it } from "vitest";
import { commandHelp } from "./command-help.js";

/** The permission of the operator API that each command with `--server` needs. */
const PERMISSION: Readonly<Record<string, Permission>> = {
  "orders list": "read",
  "orders find": "read",
  "orders watch": "read",
  status: "read",
  "orders explain": "read",
  "events list": "read",
  "events tail": "read",
  "reports month": "settlements.export",
  "reports day": "settlements.export",
  "orders pay-out-refund": "refund.pay-out",
  "refunds list": "read",
  "refunds approvals": "read",
  "alarms list": "read",
  "sessions list": "read",
  "bills exceptions": "read",
  "sessions revoke": "customer.end-sessions",
  "orders sync": "order.sync",
  "orders close": "order.close",
  "orders refund": "refund.request",
  "orders report-shipment": "order.report-shipment",
  "alarms acknowledge": "order.acknowledge",
  "refunds approve": "refund.approve",
  "refunds reject": "refund.reject",
  "refunds adopt": "refund.adopt",
  "refunds settle": "refund.settle",
  "refunds withdraw": "refund.withdraw",
  "bills adopt": "bill-exception.adopt",
  "bills assign": "bill-exception.assign",
  "bills resolve": "bill-exception.resolve",
  "bills not-ours": "bill-exception.not-ours",
};

/** What a command needs, as the table of the guide names it. */
interface Needs {
  readonly needs: string;
  readonly role: string;
}

/** Returns what a command needs, by the options of its help. */
function needsOf(name: string, help: string): Needs {
  const has = (option: string) => help.includes(`\n  ${option} `);
  const opened = [
    ...(has("--database-url") ? ["database"] : []),
    ...(has("--keys-file") ? ["key file"] : []),
    ...(has("--wallet-a-gateway") ? ["wallets"] : []),
  ];
  if (has("--control")) return { needs: "a sandbox", role: "-" };
  if (opened.length === 0)
    return has("--server") ? { needs: "a server", role: "any" } : { needs: "nothing", role: "-" };
  const permission = PERMISSION[name];
  if (has("--server")) return { needs: opened.join(", "), role: permission ? PERMISSIONS[permission] : "?" };
  return { needs: opened.join(", "), role: "-" };
}

it("finds a row in the guide for every command, with what the command needs", () => {
  const guide = readFileSync(new URL("../../../docs/guide/command-line.md", import.meta.url), "utf8");
  const rows = guide
    .slice(guide.indexOf("### What each command needs"))
    .split("\n## ", 1)[0]
    ?.matchAll(/^\| (?<commands>`.*?) +\| (?<needs>[^|]*?) +\| (?<role>[^|]*?) +\|$/gm);
  const table = [...(rows ?? [])].flatMap(({ groups: { commands = "", needs = "", role = "" } = {} }) =>
    commands.split(", ").map((name) => [name.replaceAll("`", ""), { needs, role: role.replaceAll("`", "") }]),
  );
  const all = commandHelp().map(({ command, help }) => ({ name: command.replace(/^tillkit ?/, ""), help }));
  const leaves = all.filter(
    ({ name }) => !all.some((other) => name === "" || other.name.startsWith(`${name} `)),
  );
  const why = "docs/guide/command-line.md: What each command needs";
  expect(Object.fromEntries(table), why).toEqual(
    Object.fromEntries(leaves.map(({ name, help }) => [name, needsOf(name, help)])),
  );
  expect(table.length).toBe(leaves.length);
});
