import { addDownloads, type DailyCount, recordDownloads } from "@tillkit/core";
import { aCount, anApp, expectFailure, expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { memoryPorts } from "../ports/memory-ports.js";
import { testClock } from "../ports/test-clock.js";

/** Opens ports with an app, on 2026-01-15 at noon in China. */
async function openFixture() {
  const ports = memoryPorts({ clock: testClock(Date.UTC(2026, 0, 15, 4)) });
  await expectOk(ports.apps.insertOnce(anApp({ appId: "app_1" })));
  const read = () => expectOk(ports.downloads.read("app_1", "2026-01-01", "2026-12-31"));
  return { ports, read };
}

const FUTURE = { name: "count.invalid", rule: "future" };

it("recordDownloads accepts counts of the next day, which has begun further east, and of no later day", async () => {
  const { ports, read } = await openFixture();
  const tomorrow = aCount({ date: "2026-01-16", newDownloads: 3, updateDownloads: 1 });
  const later = aCount({ date: "2026-01-17" });
  expect(await expectOk(recordDownloads(ports, [[tomorrow]]))).toMatchObject({ written: 1, changed: 1 });
  expect(await expectFailure(recordDownloads(ports, [[aCount({ store: "b" })], [later]]))).toEqual(FUTURE);
  expect(await expectFailure(addDownloads(ports, later))).toEqual(FUTURE);
  await expectOk(addDownloads(ports, tomorrow));
  expect(await read()).toEqual([
    { store: tomorrow.store, days: [15], newDownloads: [6], updateDownloads: [2] },
  ]);
});

it.each<readonly [Partial<DailyCount>, string]>([
  [{ date: "tomorrow" }, "date"],
  [{ newDownloads: 0.5 }, "count"],
  [{ store: "" }, "store"],
])("recordDownloads names the rule that %j breaks", async (changes, rule) => {
  const { ports, read } = await openFixture();
  const invalid = { name: "count.invalid", rule };
  expect(await expectFailure(recordDownloads(ports, [[aCount(changes)]]))).toEqual(invalid);
  expect(await expectFailure(addDownloads(ports, aCount(changes)))).toEqual(invalid);
  expect(await read()).toEqual([]);
});
