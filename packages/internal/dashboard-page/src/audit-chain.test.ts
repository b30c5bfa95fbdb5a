import { text as textOf } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { testPages } from "./testing/test-page.js";

const { host, open } = testPages();
const endShape = z.object({ seq: z.number(), hash: z.string() });

const untouched = new Map<object, unknown>();
afterEach(() => {
  for (const [log, read] of untouched) Object.assign(log, { read });
  untouched.clear();
});

/** Changes the reason of a stored entry without an entry about the change. */
function forge(seq: number): void {
  const { auditLog } = host().ports;
  const read = auditLog.read.bind(auditLog);
  untouched.set(auditLog, read);
  const forged: typeof read = (after, limit) =>
    read(after, limit).map((events) =>
      events.map((event) => (event.seq === seq ? { ...event, reason: "forged" } : event)),
    );
  Object.assign(auditLog, { read: forged });
}

/** Saves the end of the chain as the page offers it, and returns what the file contains. */
async function kept() {
  const page = await open("/audit", { role: "admin" });
  await page.getByRole("button", { name: "Check the chain" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Keep the end as a file" }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe("audit-log-end.json");
  const text = await textOf(await saved.createReadStream());
  const compare = async (content: string | Buffer) => {
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Compare with a kept end" }).click();
    const file = { name: "end.json", mimeType: "application/json", buffer: Buffer.from(content) };
    await (await choosing).setFiles(file);
  };
  return { page, text, end: endShape.parse(JSON.parse(text)), compare };
}

it("the page says that a saved end of the chain is unchanged, and up to which entry the chain is intact", async () => {
  const { page, text, end, compare } = await kept();
  await host().create("later", "viewer");
  await compare(text);
  await page.getByText(`The log still contains entry ${end.seq} of the file, unchanged.`).waitFor();
  await page.getByText(`The chain is intact up to entry ${end.seq + 1}.`).waitFor();
});

it("the page reads a saved end to which an editor added a byte order mark, and refuses other changes", async () => {
  const { page, text, end, compare } = await kept();
  await compare(`\ufeff${text}\r\n`);
  await page.getByText(`The log still contains entry ${end.seq} of the file, unchanged.`).waitFor();
  const unreadable = page.getByText("This file does not contain the end of an audit log.");
  for (const content of [
    Buffer.from(`\ufeff${text}`, "utf16le"),
    text.replace("{", '{"seq":1,'),
    `${text}${" ".repeat(5_000)}`,
  ]) {
    await compare(content);
    await unreadable.waitFor();
    await compare(text);
    await unreadable.waitFor({ state: "detached" });
  }
});

it("the page says that the entry of a saved end was changed or removed", async () => {
  const { page, end, compare } = await kept();
  await compare(JSON.stringify({ ...end, hash: "0".repeat(64) }));
  await page.getByText(`The log no longer contains entry ${end.seq} of the file`).waitFor();
  await compare(JSON.stringify({ ...end, seq: end.seq + 100 }));
  await page.getByText(`The log no longer contains entry ${end.seq + 100} of the file`).waitFor();
  await compare("{}");
  await page.getByText("This file does not contain the end of an audit log.").waitFor();
});

it("the page says where the chain is broken after a saved end", async () => {
  const { page, text, end, compare } = await kept();
  for (const name of ["one", "two"]) await host().create(name, "viewer");
  forge(end.seq + 2);
  await compare(text);
  await page.getByText(`The log still contains entry ${end.seq} of the file, unchanged.`).waitFor();
  await page.getByText(`The chain is broken at entry ${end.seq + 2}`).waitFor();
});
