import { spawn } from "node:child_process";
import { lstat, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { builtProgram } from "@tillkit/built-program";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { LONGEST_LINE } from "../json-lines.js";
import { emptiedHost, type Place } from "../testing/cli.js";
import { aLine } from "../testing/import-lines.js";

/** Matchers with a known type. */
const containing = (text: string): unknown => expect.stringContaining(text);

const openHost = emptiedHost();

let place: Place;
beforeEach(async () => {
  place = await openHost();
  for (const app of ["old", "other"])
    await place.ask(["apps", "create", "--name", app, "--app-id", app, "--app-secret-stdin"], {
      input: "the-old-secret",
    });
});
const counts = z.object({
  imported: z.number(),
  unchanged: z.number(),
  problems: z.object({
    total: z.number(),
    first: z.array(z.object({ line: z.number(), message: z.string() })),
  }),
});
/** Imports a file in a process of its own. */
const runOf = async (main: string, file: string) => {
  const child = spawn(process.execPath, [main, "import", "orders", file, "--operator", "kim", "--json"], {
    env: { ...process.env, ...place.env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  return counts.parse(JSON.parse(await text(child.stdout)));
};
const importing = (input: string, code = 0, ...options: readonly string[]) =>
  place.ask(["import", "orders", "-", "--operator", "kim", ...options], { input, code });

describe("an import under attack", () => {
  it(
    "continues after its process was killed half-way, and loses and doubles nothing",
    { tags: "slow" },
    async () => {
      const lines = Array.from({ length: 3_000 }, (_, index) => aLine(index));
      const file = await place.file("orders.jsonl", lines.join("\n"));
      const main = await builtProgram(new URL("../main.ts", import.meta.url));
      const child = spawn(process.execPath, [main, "import", "orders", "-", "--operator", "kim"], {
        env: { ...process.env, ...place.env },
      });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      // The wrong line is reported when its batch is stored, while the program waits for more.
      child.stdin.on("error", () => undefined).write(`{\n${lines.slice(0, 1_500).join("\n")}\n`);
      await new Promise((resolve) => child.stderr.once("data", resolve));
      child.kill("SIGKILL");
      await ended;
      const before = { name: "before", text: `select count(*)::int as n from ${place.schema}.orders` };
      const [held] = await place.sql.query(before, []);
      const stored = Number(held?.["n"]);
      expect(stored).toBeGreaterThan(0);
      expect(await place.ask(["import", "orders", file, "--operator", "kim"])).toMatchObject({
        imported: 3_000 - stored,
        unchanged: stored,
      });
      const events = { name: "events", text: `select count(*)::int as n from ${place.schema}.timeline` };
      expect(await place.sql.query(events, [])).toEqual([{ n: 3_000 }]);
    },
  );

  it("reports huge lines and wrong UTF-8 by line number, and imports the other lines", async () => {
    const huge = JSON.stringify({ secret: "s3cret".repeat(LONGEST_LINE / 6) });
    const content = Buffer.concat([
      Buffer.from(`${aLine(1)}\r\n${huge}\n`),
      Buffer.from([0x7b, 0xff, 0xfe, 0x0a]),
      Buffer.from(`${aLine(2)}\n[1]\nnull\n"text"\n{"appId":\n\n  \n${aLine(3)}`),
    ]);
    const file = await place.file("orders.jsonl", "");
    const { writeFile } = await import("node:fs/promises");
    await writeFile(file, content);
    const report = await place.ask(["import", "orders", file, "--operator", "kim"], { code: 1 });
    const numbers = [2, 3, 5, 6, 7, 8].map((line) => ({ line }));
    expect(report).toMatchObject({ imported: 3, problems: { total: 6, first: numbers } });
    expect(JSON.stringify(report)).not.toContain("s3cret");
  });

  it("prints no value of a line, and no control character of a name", async () => {
    const lines = [
      aLine(1, { amount: "s3cret" }),
      aLine(2, { customerIdentity: "13800138000" }),
      aLine(3, { "\u001b[31mred\u0007": "s3cret" }),
      aLine(4, { ["x".repeat(5_000)]: 1, a: 1, b: 2, c: 3, d: 4 }),
      '{"appId":"old","__proto__":{"s3cret":1}}',
      '{"s3cret-broken',
    ];
    const ran = await place.tillkit(["import", "orders", "-", "--operator", "kim"], {
      input: lines.join("\n"),
    });
    expect(ran.code).toBe(1);
    const printed = ran.stdout + ran.stderr;
    expect(printed).not.toMatch(/s3cret|13800138000/);
    expect([...printed].some((one) => one === "\u001b" || one === "\u0007")).toBe(false);
    expect(printed.length).toBeLessThan(2_000);
  });

  it("keeps two apps with the same bizNo apart", async () => {
    const content = `${aLine(1)}\n${aLine(1, { appId: "other", id: "w-other", amount: 700 })}`;
    expect(await importing(content)).toMatchObject({ imported: 2 });
    expect(await importing(content)).toMatchObject({ imported: 0, unchanged: 2 });
    for (const [app, amount] of [["old", 600] as const, ["other", 700] as const])
      expect(await place.ask(["orders", "find", "--app", app, "--biz-no", "b-000001"])).toMatchObject({
        orders: [{ amount }],
      });
  });

  it(
    "stores each id once if two processes import it for different orders, and prints correct counts",
    { tags: "slow" },
    async () => {
      const main = await builtProgram(new URL("../main.ts", import.meta.url));
      const ids = Array.from({ length: 3_000 }, (_, index) => index);
      const files = await Promise.all([
        place.file("left.jsonl", ids.map((id) => aLine(id)).join("\n")),
        place.file(
          "right.jsonl",
          ids
            .map((id) => aLine(id, { appId: id % 2 === 0 ? "other" : "old", bizNo: `r-${id}` }))
            .toReversed()
            .join("\n"),
        ),
      ]);
      const reports = await Promise.all(files.map((file) => runOf(main, file)));
      const stored = await place.sql.query(
        {
          name: "stored",
          text: `select count(*)::int as orders, count(distinct id)::int as ids,
            count(*) filter (where biz_no like 'r-%')::int as r from ${place.schema}.orders`,
        },
        [],
      );
      const [left, right] = reports;
      expect(stored).toEqual([{ orders: 3_000, ids: 3_000, r: right?.imported }]);
      expect((left?.imported ?? 0) + (right?.imported ?? 0)).toBe(3_000);
      for (const { imported, unchanged, problems } of reports)
        expect([unchanged, imported + problems.total]).toEqual([0, 3_000]);
      // Each file again: what was stored is unchanged, and the same lines are refused.
      for (const [index, file] of files.entries())
        expect(await runOf(main, file)).toMatchObject({
          imported: 0,
          unchanged: reports[index]?.imported,
          problems: { total: reports[index]?.problems.total },
        });
    },
  );

  it("counts each order once if several imports of one file run at the same time", async () => {
    const input = Array.from({ length: 200 }, (_, index) => aLine(index)).join("\n");
    const reports = await Promise.all([1, 2, 3].map(async () => counts.parse(await importing(input))));
    expect(reports.reduce((sum, { imported }) => sum + imported, 0)).toBe(200);
    for (const { imported, unchanged } of reports) expect(imported + unchanged).toBe(200);
  });

  it("reports the same lines in a dry run, also of lines in different batches", async () => {
    const lines = Array.from({ length: 1_200 }, (_, index) => aLine(index));
    const input = [
      ...lines,
      aLine(3),
      aLine(4, { amount: 700 }),
      aLine(5_000, { id: "w-5" }),
      aLine(6, { id: "w-new" }),
      // The order of line 1203 was not stored, so its key is free.
      aLine(5_000, { id: "w-5000" }),
    ].join("\n");
    const dry = counts.parse(await importing(input, 1, "--dry-run"));
    const report = counts.parse(await importing(input, 1));
    expect(dry).toEqual(report);
    expect(report).toMatchObject({
      imported: 1_201,
      unchanged: 1,
      problems: { total: 3, first: [{ line: 1_202 }, { line: 1_203 }, { line: 1_204 }] },
    });
  });

  it("shows 20 wrong lines, and writes all of them to a file that only the owner can read", async () => {
    const input = [aLine(0), ...Array.from({ length: 25 }, (_, index) => aLine(index, { amount: 0 }))].join(
      "\n",
    );
    for (const dryRun of [["--dry-run"], []]) {
      const ran = await place.tillkit(["import", "orders", "-", "--operator", "kim", ...dryRun], { input });
      const shown = ran.stderr.split("\n").filter((line) => line.startsWith("line "));
      expect([ran.code, shown.length]).toEqual([1, 20]);
      const [, file = ""] = /5 more wrong lines: see (\S+)\.\n/.exec(ran.stdout) ?? [];
      onTestFinished(() => rm(dirname(file), { recursive: true }));
      const lines = (await readFile(file, "utf8")).split("\n");
      expect(lines).toHaveLength(26);
      expect(lines.slice(0, 20)).toEqual(shown);
      expect(lines[24]).toMatch(/^line 26: /);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    const twenty = input.split("\n").slice(0, 21).join("\n");
    expect(await importing(twenty, 1)).not.toHaveProperty("problems.file");
  });

  it("writes every wrong line to the file of --errors, and empties it if no line is wrong", async () => {
    const errors = await place.file("errors.txt", "of an earlier run");
    const report = await importing(`{\n${aLine(1)}`, 1, "--errors", errors);
    expect(report).toMatchObject({ imported: 1, problems: { total: 1, file: errors } });
    expect(await readFile(errors, "utf8")).toBe("line 1: the line is not a JSON object\n");
    await importing(aLine(1), 0, "--errors", errors);
    expect(await readFile(errors, "utf8")).toBe("");
    const unwritable = join(place.folder, "none", "errors.txt");
    expect(await importing(aLine(2), 3, "--errors", unwritable)).toMatchObject({
      error: { name: "file.unwritable" },
    });
    expect(await importing(aLine(2))).toMatchObject({ imported: 1 });
  });

  it("does not accept a forged timeline, credentials or a pay tool", async () => {
    const forged = {
      timeline: [{ type: "PAID" }],
      payToolId: "tool",
      notifyUrl: "https://evil",
      prepayment: {},
    };
    for (const [name, value] of Object.entries(forged))
      expect(await importing(aLine(1, { [name]: value }), 1)).toMatchObject({
        imported: 0,
        problems: { first: [{ message: `unknown members: ${name}` }] },
      });
  });
});

it("doctor finds a number that two orders have", async () => {
  const kinds = z.object({
    findings: z.array(z.object({ kind: z.string(), subject: z.string(), message: z.string() })),
  });
  const doubled = async () => {
    const ran = await place.tillkit(["doctor", "--json"]);
    return kinds.parse(ran.json).findings.filter(({ kind }) => kind === "doubled-number");
  };
  await importing(`${aLine(1)}\n${aLine(2)}`);
  expect(await doubled()).toEqual([]);
  await place.sql.script(`update ${place.schema}.orders set id = 'w-1' where id = 'w-2'`);
  expect(await doubled()).toMatchObject([
    { subject: "w-1", message: containing("old b-000001, old b-000002") },
  ]);
});

describe("an export under attack", () => {
  it("keeps the old file and leaves no draft if it fails, and writes a file that only its owner can read", async () => {
    await importing(aLine(1));
    const file = await place.file("out.jsonl", "before");
    await place.sql.script(`update ${place.schema}.orders set pay_channel = 'WALLET_X'`);
    expect(await place.ask(["export", "orders", file], { code: 3 })).toMatchObject({
      error: { name: "storage.misconfigured" },
    });
    expect(await readFile(file, "utf8")).toBe("before");
    expect((await readdir(place.folder)).filter((name) => name.endsWith(".part"))).toEqual([]);
    await place.sql.script(`update ${place.schema}.orders set pay_channel = 'WALLET_A'`);
    await place.ask(["export", "orders", file]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await place.ask(["export", "orders", join(place.folder, "none", "o")], { code: 3 })).toMatchObject(
      { error: { name: "file.unwritable" } },
    );
  });

  it("writes the same bytes to standard output as to a file, and other texts to standard error", async () => {
    await importing(Array.from({ length: 1_100 }, (_, index) => aLine(index)).join("\n"));
    const file = join(place.folder, "out.jsonl");
    await place.ask(["export", "orders", file]);
    const ran = await place.tillkit(["export", "orders", "-"]);
    expect(ran).toMatchObject({ code: 0, stderr: "Exported orders: 1100.\n" });
    expect(ran.stdout).toBe(await readFile(file, "utf8"));
    const audit = await place.tillkit(["audit", "export", "-"]);
    expect(audit.stdout.split("\n")).toHaveLength(6);
    await place.sql.script(`update ${place.schema}.orders set pay_channel = 'WALLET_X' where id = 'w-900'`);
    const failing = await place.tillkit(["export", "orders", "-"]);
    expect(failing.code).toBe(3);
    expect(failing.stdout.split("\n")).toHaveLength(501);
    expect(failing.stderr).not.toBe("");
  });

  it("ends without a message if the reader of standard output ends", async () => {
    await importing(Array.from({ length: 1_600 }, (_, index) => aLine(index)).join("\n"));
    let parts = 0;
    const stdout = new Writable({
      write: (_part, _encoding, done) => {
        parts += 1;
        done(parts > 1 ? Object.assign(new Error("EPIPE"), { code: "EPIPE" }) : null);
      },
    }).on("error", () => undefined);
    const ran = await place.tillkit(["export", "orders", "-"], { stdout });
    expect(ran).toMatchObject({ code: 0, stderr: "Exported orders: 500.\n" });
    expect(parts).toBe(2);
    expect(await place.ask(["audit", "list", "--action", "orders.export"])).toMatchObject({
      entries: [{ outcome: "done" }],
    });
  });

  it("replaces no folder and no device, also behind a link", async () => {
    const link = join(place.folder, "stdout");
    await symlink("/dev/null", link);
    for (const path of [link, "/dev/null", place.folder])
      expect(await place.ask(["export", "orders", path], { code: 2 })).toMatchObject({
        error: { name: "usage.invalid" },
      });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await lstat("/dev/null")).isCharacterDevice()).toBe(true);
  });
});
