import { expect, it } from "vitest";
import { DAY, MINUTE } from "../../support/fixtures.js";
import type { ServiceReply } from "../../support/http/caller.js";
import { at } from "../../support/http/json.js";
import { recorded } from "../../support/http/recorded.js";
import type { Service, StartService } from "../../support/http/service.js";
import { aDownloadsClient, askReport } from "./downloads.js";

const range = { start: "2026-01-13", end: "2026-01-15" };
/** The unknown ids that an address may send in an hour in these tests. */
const LIMIT = 6;
const policy = { unknownIdsPerHour: LIMIT };

const codeOf = ({ data }: ServiceReply) => at(data, "errorCode");
const ask = (service: Service, id: string) => askReport(service, "v2", { id, ...range });

/** Sends unknown ids at once, and returns the error codes. */
async function guess(service: Service, count: number, kind = "guess"): Promise<readonly unknown[]> {
  const answers = Array.from({ length: count }, (_, nth) => ask(service, `${kind}-${nth}`));
  return (await Promise.all(answers)).map(codeOf);
}

const ofKind = (codes: readonly unknown[], code: string) => codes.filter((one) => one === code).length;

/** Tests that an address cannot try many ids of downloads clients. */
export function unknownIdsContract(start: StartService): void {
  it("looks up a limited number of unknown ids of an address, also at once", async () => {
    const work: string[] = [];
    const service = await start({
      policy,
      ports: (ports) => recorded(ports, work),
    });
    const codes = await guess(service, 5 * LIMIT);
    expect(ofKind(codes, "ID_NOT_ALLOWED")).toBe(LIMIT);
    expect(ofKind(codes, "LIMIT_CHECK_FAILED")).toBe(4 * LIMIT);
    expect(work.filter((one) => one === "downloadsClients.find")).toHaveLength(LIMIT);
  });

  it("after the limit, answers known and unknown ids alike with the time to retry, and later allows one more id", async () => {
    const service = await start({ policy });
    const known = await aDownloadsClient(service, 100);
    await guess(service, LIMIT);
    const replies = [await ask(service, "unknown"), await ask(service, known), await ask(service, "guess-0")];
    const [first] = replies;
    for (const reply of replies) {
      expect(reply.status).toBe(500);
      expect(reply.text).toBe(first?.text);
      expect(reply.headers.get("retry-after")).toBe("600");
    }
    const legacy = await askReport(service, "legacy", { id: known, ...range });
    expect([legacy.status, codeOf(legacy)]).toEqual([200, "LIMIT_CHECK_FAILED"]);
    service.host.clock.advance(10 * MINUTE - 1);
    expect(codeOf(await ask(service, known))).toBe("LIMIT_CHECK_FAILED");
    service.host.clock.advance(1);
    expect(ofKind(await guess(service, 3), "ID_NOT_ALLOWED")).toBe(1);
    service.host.clock.advance(DAY);
    expect((await ask(service, known)).status).toBe(200);
  });

  it("after the limit, serves an id whose report the address has received before", async () => {
    const service = await start({ policy });
    const [known, other] = [await aDownloadsClient(service, 100), await aDownloadsClient(service, 100)];
    expect((await ask(service, known)).status).toBe(200);
    await guess(service, 2 * LIMIT);
    expect((await ask(service, known)).status).toBe(200);
    expect(codeOf(await ask(service, other))).toBe("LIMIT_CHECK_FAILED");
  });

  it("counts no request with a known id, and no invalid request, which looks up no id", async () => {
    const service = await start({ policy });
    for (let clients = 0; clients < 2 * LIMIT; clients += 1)
      expect((await ask(service, await aDownloadsClient(service, 1))).status).toBe(200);
    for (let wrong = 0; wrong < 2 * LIMIT; wrong += 1) {
      const reply = await askReport(service, "v2", { id: `wrong-${wrong}`, start: "x", end: "y" });
      expect(codeOf(reply)).toBe("INVALID_DATE");
    }
    expect(ofKind(await guess(service, 2 * LIMIT), "ID_NOT_ALLOWED")).toBe(LIMIT);
  });
}
