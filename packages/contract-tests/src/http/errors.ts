import { ERROR_CATALOG, type ErrorEntry, failureMessage } from "@tillkit/core/errors";
import { describe, expect, it } from "vitest";
import { CANARY, ERROR_CASES, type ErrorCase } from "./error-cases.js";
import type { Answer } from "./caller.js";
import { ANY_TEXT, aTextLike } from "./json.js";
import type { StartService } from "./service.js";

const cases: readonly (readonly [string, ErrorCase])[] = Object.entries(ERROR_CASES);
const rows: Readonly<Record<string, ErrorEntry>> = ERROR_CATALOG;

function rowOf(name: string): ErrorEntry {
  const row = rows[name];
  if (row === undefined) throw new Error(`The catalogue has no ${name}.`);
  return row;
}

/** Every failure of the catalogue as callers meet it: code, message, language, status, trace id, and nothing that was sent. */
export function errorsContract(start: StartService): void {
  it("has a case for every row of the catalogue, and no other", () => {
    expect(cases.map(([name]) => name).sort()).toEqual(Object.keys(ERROR_CATALOG).sort());
  });

  describe.each(cases.flatMap(([name, one]) => ("answer" in one ? [{ name, one }] : [])))(
    "$name",
    ({ name, one }) => {
      const row = rowOf(name);

      it(`answers ${row.code} with HTTP 200 and a trace id, and repeats nothing that was sent`, async () => {
        const answer = await one.answer(await start(one));
        expect(answer.status).toBe(200);
        expectFailureEnvelope(answer, row);
        expect(answer.msg).toMatch(/^[\x20-\x7e]+$/);
      });

      it(`answers HTTP ${row.status} where the host asks for standard statuses`, async () => {
        const answer = await one.answer(await start({ ...one, policy: { statusMode: "standard" } }));
        expect(answer.status).toBe(row.status);
        expectFailureEnvelope(answer, row);
      });

      it("speaks Chinese to a caller that asks for it", async () => {
        const headers = { "accept-language": "zh-CN,zh;q=0.9,en;q=0.8" };
        const answer = await one.answer(await start({ ...one, headers }));
        expectFailureEnvelope(answer, row);
        expect(answer.msg).toMatch(/\p{Script=Han}/u);
      });
    },
  );

  // These have no endpoint: an operator's program calls the function, and shows the catalogue's number and words.
  it.each(cases.flatMap(([name, one]) => ("failure" in one ? [{ name, one }] : [])))(
    "$name comes of an operator's function, with a number and words for it",
    async ({ name, one }) => {
      const failure = await one.failure(await start());
      expect(failure.name).toBe(name);
      expect(rowOf(failure.name).code).toBe(rowOf(name).code);
      expect(failureMessage(failure, "en")).toMatch(/^[\x20-\x7a]+$/);
      expect(failureMessage(failure, "zh")).toMatch(/^[^{}]*\p{Script=Han}[^{}]*$/u);
    },
  );

  it("keeps to English for every other language", async () => {
    for (const language of ["en", "fr-FR, zh;q=0.1", "zhuang", ""]) {
      const { demo } = await start({ headers: { "accept-language": language } });
      const { msg } = await demo.get("/detail.json", { bizNo: "b-1", customerIdentity: "c-1" });
      expect(msg).toBe("Order not found");
    }
  });
}

function expectFailureEnvelope(answer: Answer, { code }: ErrorEntry): void {
  expect(answer.json).toEqual({
    code,
    msg: ANY_TEXT,
    traceId: aTextLike(/^[0-9a-f]{32}$/),
  });
  expect(answer.headers.get("x-trace-id")).toBe(answer.traceId);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.msg).not.toContain(CANARY);
}
