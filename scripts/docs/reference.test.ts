import { existsSync } from "node:fs";
import { defaultPolicy, policyRange } from "@tillkit/core";
import { ERROR_CATALOG, type ErrorEntry } from "@tillkit/core/errors";
import { METRICS_ERRORS, metricsRoutes, notificationRoutes, paymentsRoutes } from "@tillkit/core/http";
import { root } from "@tillkit/repository";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { PARAMETER_MEANINGS } from "./meanings.js";
import { coreProgram, interfaceIn } from "./core-program.js";
import { docOf } from "./doc-comment.js";
import { paymentsEndpoints } from "./endpoints.js";
import { defaultText } from "./policy-page.js";
import { reference } from "./reference.js";

const program = coreProgram();
const files = reference(program);
const read = (file: string): string => files.get(file) ?? "";
const endpoints = paymentsEndpoints(program);

it("the reference is the same at every run", () => {
  expect(reference(program)).toEqual(files);
});

describe("errors.md", () => {
  it.each(Object.entries<ErrorEntry>(ERROR_CATALOG))("describes %s under its code", (name, entry) => {
    const [, below = ""] = read("errors.md").split(`\n### ${entry.code} \`${name}\`\n`);
    const [section] = below.split("\n#");
    const { meaning, advice, message, status, retryable } = entry;
    for (const text of [meaning, `**What to do:** ${advice}`, message.en, message.zh])
      expect(section).toContain(text);
    expect(section).toContain(`**Retry:** ${retryable ? "yes" : "no"}. **Status:** ${status}`);
  });

  it("has every downloads error", () => {
    for (const { errorCode } of Object.values(METRICS_ERRORS)) expect(read("http.md")).toContain(errorCode);
  });
});

describe("policy.md", () => {
  const fields = interfaceIn(program, "policy.ts", "Policy").members;

  it.each(Object.keys(defaultPolicy))("has %s with its default and its meaning", (name) => {
    const field = fields.find((member) => member.name?.getText() === name);
    const meaning = field === undefined ? "" : docOf(field).replace(/\n+/g, "<br>");
    expect(meaning).not.toBe("");
    expect(read("policy.md")).toContain(
      `| \`${name}\` | ${defaultText(name)} | ${policyRange(name)} | ${meaning} |`,
    );
  });

  it("shows times, money and sizes as a person reads them", () => {
    expect(defaultText("orderTtl")).toBe("2 h (7200000)");
    expect(defaultText("maxAmount")).toBe("100000000.00 yuan (10000000000)");
    expect(defaultText("maxRequestBytes")).toBe("64 KiB (65536)");
    expect(defaultText("querySchedule")).toMatch(/^30 s, 1 min, .* every 1 d$/);
    expect(defaultText("maxPageSize")).toBe("100");
  });

  it("shows a unit of time for every field whose meaning is a time", () => {
    for (const field of fields) {
      if (!/^(How long|How far|The delay|The minimum time|The timeout)/.test(docOf(field))) continue;
      expect(defaultText(field.name?.getText() ?? "")).toMatch(/ (ms|s|min|h|d) \(\d+\)$/);
    }
  });
});

describe("ports.md", () => {
  const storage = interfaceIn(program, "ports.ts", "Stores").members.filter((member) =>
    ts.isPropertySignature(member),
  );

  it("has a row for every port, with its purpose and a link to its file", () => {
    const others = ["clock", "random", "digest", "observer", "wallets", "smsSender?", "compressor?"];
    for (const name of [...storage.map((member) => member.name.getText()), ...others]) {
      const row = read("ports.md").split(`\n| \`${name}\` |`)[1]?.split("\n")[0] ?? "";
      const [, file = "", purpose = ""] = /\]\(\.\.\/\.\.\/(\S+)\) \| (.*) \|$/.exec(row) ?? [];
      expect(existsSync(root + file) && file.endsWith(".ts"), name).toBe(true);
      expect(purpose, name).toMatch(/\.$/);
    }
  });

  it("leads to a doc comment of every method of every storage port", () => {
    const checker = program.getTypeChecker();
    expect(storage.length).toBeGreaterThan(0);
    for (const { type } of storage) {
      if (type === undefined) throw new Error("A store without a type");
      for (const method of checker.getTypeAtLocation(type).getProperties()) {
        const declaration = method.declarations?.[0];
        expect(declaration === undefined ? "" : docOf(declaration), method.name).not.toBe("");
      }
    }
  });
});

describe("http.md", () => {
  it("has every route", () => {
    for (const { method, path } of paymentsRoutes)
      expect(read("http.md")).toContain(`### ${method} ${path}\n`);
    for (const { method, path } of [...metricsRoutes, ...notificationRoutes]) {
      expect(read("http.md")).toContain(`| ${method} | \`${path}\``);
    }
  });

  it("finds the limits that the schemas check in code", () => {
    const order = endpoints.find(({ path }) => path === "/order.json");
    const limits =
      order?.parameters.map(({ name, schema }) => [name, schema.maxLength ?? schema.maximum]) ?? [];
    expect(Object.fromEntries(limits)).toMatchObject({
      amount: defaultPolicy.maxAmount,
      bizNo: defaultPolicy.maxBizNoLength,
      goodsTitle: defaultPolicy.maxGoodsTitleLength,
      attachData: defaultPolicy.maxAttachDataBytes,
    });
    const history = endpoints.find(({ path }) => path === "/history.json");
    const pageSize = history?.parameters.find(({ name }) => name === "pageSize");
    expect(pageSize).toMatchObject({
      required: false,
      default: defaultPolicy.defaultPageSize,
      schema: { type: "integer", minimum: 1, maximum: defaultPolicy.maxPageSize },
    });
  });

  it("names the failures of the schema, of the function and of every request", () => {
    const order = endpoints.find(({ path }) => path === "/order.json");
    expect(order?.failures).toEqual(
      expect.arrayContaining([
        "credentials.invalid",
        "amount.invalid",
        "request.too-large",
        "biz-no.conflict",
      ]),
    );
    const detail = endpoints.find(({ path }) => path === "/detail.json");
    expect(detail?.failures).toContain("order.not-found");
    expect(detail?.failures).not.toContain("amount.invalid");
  });

  it("describes every parameter, and no parameter that does not exist", () => {
    const names = new Set(endpoints.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
    expect([...PARAMETER_MEANINGS.keys()].sort()).toEqual([...names].sort());
  });
});
