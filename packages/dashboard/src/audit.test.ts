import { expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { openDashboard, sendForText } from "./testing/open-dashboard.js";

async function aTeam() {
  const dashboard = openDashboard();
  await dashboard.create("fin", "finance");
  await dashboard.create("li", "support");
  return { ...dashboard, fin: await dashboard.signIn("fin"), li: await dashboard.signIn("li") };
}

it("the check reads the chain of the audit log, and reports where it breaks", async () => {
  const { ports, fin } = await aTeam();
  const events = await expectOk(ports.auditLog.read(0, 100));
  const last = events.at(-1);
  expect((await fin.get("/api/audit/check")).json).toEqual({
    intactUpTo: { seq: last?.seq, at: last?.at, hash: last?.hash },
  });
  const read = ports.auditLog.read.bind(ports.auditLog);
  ports.auditLog.read = (after, limit) =>
    read(after, limit).map((page) =>
      page.map((event) => (event.seq === 2 ? { ...event, reason: "changed" } : event)),
    );
  expect((await fin.get("/api/audit/check")).json).toMatchObject({ intactUpTo: { seq: 1 }, brokenAt: 2 });
});

it("the log still contains a stored end, unless an entry up to this end was changed", async () => {
  const { ports, fin } = await aTeam();
  const [kept] = await expectOk(ports.auditLog.read(1, 1));
  if (kept === undefined) throw new Error("The log is too short.");
  const compare = async (hash: string) => (await fin.get("/api/audit/check", `seq=2&hash=${hash}`)).json;
  expect(await compare(kept.hash)).not.toHaveProperty("brokenAt");
  expect(await compare("0".repeat(64))).toMatchObject({ brokenAt: 2 });
  expect((await fin.get("/api/audit/check", "seq=2&hash=short")).status).toBe(400);
});

it("the log is exported as CSV with the filter of the list, and records the export", async () => {
  const { ports, surface, fin } = await aTeam();
  const request = { path: "/api/audit.csv", query: "operator=li", headers: { cookie: fin.cookie } };
  const { status, headers, text } = await sendForText(surface, request);
  expect(status).toBe(200);
  expect(headers["content-disposition"]).toBe('attachment; filename="audit.csv"');
  const [header, ...lines] = text.trimEnd().split("\r\n");
  expect(header).toMatch(/^\uFEFFseq,time,operator,/);
  const listed = (await expectOk(ports.auditLog.search({ operator: "li", limit: 100 }))).items;
  expect(lines).toHaveLength(listed.length);
  for (const [nth, { seq, hash }] of listed.entries()) {
    expect(lines[nth]).toMatch(new RegExp(`^${seq},.*,li,.*,${hash}$`));
  }
  const [entry] = (await expectOk(ports.auditLog.search({ action: "audit.export", limit: 1 }))).items;
  expect(entry).toMatchObject({ operator: "fin", detail: JSON.stringify({ operator: "li" }) });
});

it("the log shows an operator of some apps neither the chain nor the entries of other apps", async () => {
  const { surface, create, signIn, li } = await aTeam();
  await create("an", "finance", ["app_1"]);
  const an = await signIn("an");
  expect((await an.get("/api/audit/check")).status).toBe(403);
  const { text } = await sendForText(surface, { path: "/api/audit.csv", headers: { cookie: an.cookie } });
  expect(text.trimEnd().split("\r\n")).toHaveLength(1);
  expect((await li.get("/api/audit/check")).status).toBe(403);
  expect((await li.get("/api/audit.csv")).status).toBe(403);
});
