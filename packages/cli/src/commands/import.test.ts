import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { emptiedHost, type Place } from "../testing/cli.js";
import { aLine as line, LINE_TIME } from "../testing/import-lines.js";

/** Matchers with a known type. */
const containing = (text: string): unknown => expect.stringContaining(text);
const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const withMember = (member: object): unknown => expect.arrayContaining([expect.objectContaining(member)]);

const openHost = emptiedHost();

let place: Place;
const importing = (input: string, code = 0, ...options: readonly string[]) =>
  place.ask(["import", "orders", "-", "--operator", "kim", ...options], { input, code });

beforeEach(async () => {
  place = await openHost();
  const create = ["apps", "create", "--name", "Old", "--app-id", "old", "--app-secret-stdin"];
  await place.ask(create, { input: "the-old-secret" });
});

const reported = z.object({
  problems: z.object({ first: z.array(z.object({ line: z.number(), message: z.string() })) }),
});
const problemsOf = (report: unknown) => reported.parse(report).problems.first;

describe("import and export of orders", () => {
  it("writes the bytes that it read, and changes nothing the second time", async () => {
    const unpaid = { pmtDt: undefined, walletTradeNo: undefined };
    const lines = [
      line(1),
      line(2, { paymentStatus: "PENDING", ...unpaid }),
      line(3, { paymentStatus: "CLOSE", ...unpaid, attachData: undefined, sourceFrom: undefined }),
      line(4, { paymentStatus: "REFUND", refundedAmount: 600 }),
      line(5, { refundedAmount: 599, payChannel: "WALLET_B" }),
      ...Array.from({ length: 600 }, (_, index) => line(index + 6)),
    ];
    const content = lines.map((one) => `${one}\n`).join("");
    expect(await importing(content)).toMatchObject({ imported: 605, unchanged: 0 });
    const events = { name: "events", text: `select count(*)::int as n from ${place.schema}.timeline` };
    const before = await place.sql.query(events, []);
    expect(await importing(content)).toMatchObject({ imported: 0, unchanged: 605 });
    expect(await place.sql.query(events, [])).toEqual(before);
    const file = join(place.folder, "out.jsonl");
    expect(await place.ask(["export", "orders", file])).toEqual({ file, orders: 605 });
    expect(await readFile(file, "utf8")).toBe(content);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("loses and doubles nothing if imports run at the same time", async () => {
    const content = Array.from({ length: 300 }, (_, index) => line(index)).join("\n");
    await Promise.all([importing(content), importing(content), importing(content)]);
    expect(await importing(content)).toMatchObject({ imported: 0, unchanged: 300 });
    const explained = await place.ask(["orders", "explain", "--app", "old", "b-000007"]);
    expect(explained).toMatchObject({
      chainHolds: true,
      timeline: [{ type: "IMPORTED", actor: "operator:kim", seq: 1 }],
    });
  });

  it("reports every wrong line by its number, and imports the other lines", async () => {
    const wrong = [
      "{",
      line(1, { amount: 1.5 }),
      line(2, { refundAmount: 1 }),
      line(3, { refundedAmount: 600 }),
      line(4, { paymentStatus: "PENDING" }),
      line(5, { pmtDt: undefined }),
      line(6, { appId: "none" }),
      line(7, { customerIdentity: "13800138000" }),
      line(8, { paymentStatus: "PAYED" }),
      line(100, { id: "w-101" }),
    ];
    const content = [line(101), ...wrong, "", line(102)].join("\n");
    const dry = await importing(content, 1, "--dry-run");
    expect(dry).toMatchObject({ imported: 2, unchanged: 0, problems: { total: wrong.length } });
    const report = await importing(content, 1);
    expect(report).toMatchObject({
      imported: 2,
      unchanged: 0,
      problems: { total: wrong.length, first: wrong.map((_, index) => ({ line: index + 2 })) },
    });
    expect(report).toMatchObject({ problems: { first: problemsOf(dry) } });
    expect(JSON.stringify(report)).toContain("must be an internal id: it must not be a phone number");
    const changed = await importing(line(101, { amount: 700 }), 1);
    expect(JSON.stringify(changed)).toContain("stored with other values");
    expect(await place.ask(["orders", "find", "--app", "old", "--biz-no", "b-000101"])).toMatchObject({
      orders: [{ amount: 600 }],
    });
  });
});

describe("import --replace-untouched", () => {
  const entries = z.object({
    entries: z.array(
      z.object({
        action: z.string(),
        subject: z.string(),
        operator: z.string(),
        detail: z.string().optional(),
      }),
    ),
  });
  const audited = async (action: string) =>
    entries.parse(await place.ask(["audit", "list", "--action", action])).entries;

  it("corrects an untouched order, with an entry that has the earlier values but no personal data", async () => {
    await importing(`${line(1)}\n${line(2)}\n${line(3)}`);
    await place.ask(["orders", "acknowledge", "--app", "old", "b-000002", "--operator", "kim"], { code: 2 });
    await place.sql.script(
      `insert into ${place.schema}.timeline (biz_no, app_id, seq, type, at_ms, actor, reason, alarm, hash)
       select biz_no, app_id, 2, 'MISMATCH', 1, 'wallet', '', true, timeline_hash
       from ${place.schema}.orders where biz_no = 'b-000002'`,
    );
    const changes = { amount: 700, customerIdentity: "user-other" };
    const input = [
      line(1, changes),
      line(2, changes),
      line(3, { id: "w-3-other" }),
      line(4),
      line(4, { amount: 900 }),
    ].join("\n");
    const replacing = (code: number, ...options: readonly string[]) =>
      importing(input, code, "--replace-untouched", ...options);
    const report = { imported: 1, replaced: 2, unchanged: 0, problems: { total: 2 } };
    const dry = await replacing(1, "--dry-run");
    expect(dry).toMatchObject(report);
    expect(await audited("order.replace")).toEqual([]);
    const done = await replacing(1);
    expect(done).toMatchObject(report);
    expect(problemsOf(done)).toEqual(problemsOf(dry));
    expect(problemsOf(done)).toMatchObject([
      { line: 2, message: containing("more than an import happened to it") },
      { line: 3, message: containing("another id") },
    ]);
    const [second, first, ...others] = await audited("order.replace");
    expect([others, second?.subject, first?.subject]).toEqual([
      [],
      "order:old/b-000004",
      "order:old/b-000001",
    ]);
    expect(JSON.parse(first?.detail ?? "")).toEqual({
      sha256: matching(/^[0-9a-f]{64}$/),
      changed: ["customerIdentity", "amount"],
      before: { amount: 600 },
      after: { amount: 700 },
    });
    expect(await place.ask(["orders", "explain", "--app", "old", "b-000001"])).toMatchObject({
      chainHolds: true,
      timeline: [{ type: "IMPORTED" }, { type: "IMPORTED", seq: 2 }],
    });
    expect(await importing(line(1, changes))).toMatchObject({ unchanged: 1 });
    expect(await importing(line(1), 1)).toMatchObject({ imported: 0, replaced: 0, problems: { total: 1 } });
    expect(await place.ask(["doctor"], { code: 1 })).not.toMatchObject({
      findings: withMember({ subject: "old b-000001" }),
    });
  });

  it("corrects an untouched service", async () => {
    const service = (changes: Readonly<Record<string, unknown>> = {}) =>
      JSON.stringify({
        appId: "old",
        customerIdentity: "user-1",
        serviceTypeNo: "T",
        serviceNo: "S",
        serviceName: "Month",
        expireTime: LINE_TIME + 1,
        gmtCreate: LINE_TIME,
        ...changes,
      });
    const load = (input: string, ...options: readonly string[]) =>
      place.ask(["import", "services", "-", "--operator", "kim", ...options], { input });
    await load(service());
    const corrected = service({ expireTime: LINE_TIME + 86_400_000 });
    expect(await load(corrected, "--replace-untouched", "--dry-run")).toMatchObject({ replaced: 1 });
    expect(await load(corrected, "--replace-untouched")).toMatchObject({ replaced: 1, imported: 0 });
    expect(await load(corrected)).toMatchObject({ unchanged: 1 });
    const [entry, ...others] = await audited("service.replace");
    expect([others, entry?.subject]).toEqual([[], "service:old/T"]);
    expect(JSON.parse(entry?.detail ?? "")).toMatchObject({
      before: { expireTime: LINE_TIME + 1 },
      after: { expireTime: LINE_TIME + 86_400_000 },
    });
  });
});

describe("times of imported records", () => {
  const soon = Date.now() + 3_600_000;
  const service = { customerIdentity: "u", serviceTypeNo: "T", serviceNo: "S", serviceName: "Month" };
  it.each([
    [
      "orders",
      [
        line(1, { gmtCreate: 1_750_000_000 }),
        line(2, { pmtDt: (LINE_TIME + 1) * 1_000 }),
        line(3, { pmtDt: LINE_TIME - 1 }),
        line(4, { gmtModified: soon }),
        line(5, { gmtCreate: soon, pmtDt: soon, gmtModified: soon }),
      ],
      [
        "gmtCreate looks like seconds",
        "pmtDt looks like microseconds",
        "pmtDt must not be before gmtCreate",
        "gmtModified is in the future",
        "gmtCreate is in the future",
      ],
    ],
    [
      "services",
      [
        { ...service, expireTime: 1_852_592_000, gmtCreate: LINE_TIME },
        { ...service, expireTime: LINE_TIME - 1, gmtCreate: LINE_TIME },
        { ...service, expireTime: soon, gmtCreate: soon },
      ].map((record) => JSON.stringify({ appId: "old", ...record })),
      [
        "expireTime looks like seconds",
        "expireTime must not be before gmtCreate",
        "gmtCreate is in the future",
      ],
    ],
    [
      "customers",
      [1_750_000_000, soon].map((gmtCreate) =>
        JSON.stringify({ appId: "old", mobileNo: "+8613800000000", customerId: "u_1", gmtCreate }),
      ),
      ["gmtCreate looks like seconds", "gmtCreate is in the future"],
    ],
  ])(
    "names the line and the likely unit of wrong times of %s, also in a dry run",
    async (records, lines, texts) => {
      const by = records === "orders" ? ["--operator", "kim"] : [];
      for (const dryRun of [["--dry-run"], []]) {
        const report = await place.ask(["import", records, "-", ...by, ...dryRun], {
          input: lines.join("\n"),
          code: 1,
        });
        expect(report).toMatchObject({ imported: 0, unchanged: 0 });
        expect(problemsOf(report)).toMatchObject(
          texts.map((text, index) => ({ line: index + 1, message: containing(text) })),
        );
      }
    },
  );
});

describe("import and export of services", () => {
  const service = (customer: number, changes: Readonly<Record<string, unknown>> = {}) =>
    JSON.stringify({
      appId: "old",
      customerIdentity: `user-${String(customer).padStart(4, "0")}`,
      serviceTypeNo: "T-1",
      serviceNo: "S-1",
      serviceName: "会员",
      expireTime: LINE_TIME + 86_400_000,
      gmtCreate: LINE_TIME,
      ...changes,
    });
  const load = (input: string, code = 0, ...options: readonly string[]) =>
    place.ask(["import", "services", "-", ...options], { input, code });

  it("writes the bytes that it read, changes nothing the second time, and reports wrong lines", async () => {
    const content = Array.from({ length: 600 }, (_, index) => `${service(index)}\n`).join("");
    expect(await load(content, 0, "--dry-run")).toMatchObject({ imported: 600 });
    await Promise.all([load(content), load(content)]);
    expect(await load(content)).toMatchObject({ imported: 0, unchanged: 600 });
    const file = join(place.folder, "services.jsonl");
    expect(await place.ask(["export", "services", file, "--app", "old"])).toEqual({ file, services: 600 });
    expect(await readFile(file, "utf8")).toBe(content);
    const wrong = [
      service(1, { expireTime: LINE_TIME + 1 }),
      service(2, { expireTime: LINE_TIME - 1 }),
      service(3, { customerIdentity: "13800138000" }),
      service(4, { appId: "none" }),
    ];
    expect(await load(wrong.join("\n"), 1)).toMatchObject({ imported: 0, problems: { total: 4 } });
    await place.ask(["export", "services", file]);
    expect(await readFile(file, "utf8")).toBe(content);
  });
});

describe("import and export of customers", () => {
  const customer = (number: number, changes: Readonly<Record<string, unknown>> = {}) =>
    JSON.stringify({
      appId: "old",
      mobileNo: `+86138${String(number).padStart(8, "0")}`,
      customerId: `u_${number}`,
      gmtCreate: LINE_TIME,
      ...changes,
    });
  const load = (input: string, code = 0) => place.ask(["import", "customers", "-"], { input, code });

  it("keeps the ids, stores no phone number, and imports its own export", async () => {
    const content = Array.from({ length: 50 }, (_, index) => customer(index)).join("\n");
    await Promise.all([load(content), load(content)]);
    expect(await load(content)).toMatchObject({ imported: 0, unchanged: 50 });
    const file = join(place.folder, "customers.jsonl");
    expect(await place.ask(["export", "customers", file])).toEqual({ file, customers: 50 });
    const exported = await readFile(file, "utf8");
    expect(exported).not.toContain("+86138");
    expect(await load(exported)).toMatchObject({ imported: 0, unchanged: 50 });
    await place.sql.script(`delete from ${place.schema}.customers`);
    expect(await load(exported)).toMatchObject({ imported: 50 });
    expect(await load(content)).toMatchObject({ imported: 0, unchanged: 50 });
    await place.ask(["export", "customers", file]);
    expect(await readFile(file, "utf8")).toBe(exported);
  });

  it("reports customers that no login could use, and prints no phone number", async () => {
    const hash = `v9:${"0".repeat(64)}`;
    const wrong = [
      customer(1, { mobileNo: "138" }),
      customer(2, { customerId: "a.b" }),
      customer(3, { customerId: "13800138000" }),
      customer(4, { phoneHash: hash }),
      customer(5, { mobileNo: undefined, phoneHash: hash }),
      customer(6, { mobileNo: undefined }),
      customer(7, { appId: "none" }),
      customer(8, { customerId: "u_other" }),
    ];
    const report = await load([customer(8), ...wrong].join("\n"), 1);
    expect(report).toMatchObject({
      imported: 1,
      problems: { total: 8, first: wrong.map((_, index) => ({ line: index + 2 })) },
    });
    expect(JSON.stringify(report)).not.toMatch(/138\d/);
  });
});
