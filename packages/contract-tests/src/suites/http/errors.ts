import { newTraceId, type Policy } from "@tillkit/core";
import { ERROR_CATALOG, type ErrorEntry, type Language } from "@tillkit/core/errors";
import { failureReply, type HttpReply, type Surface } from "@tillkit/core/http";
import { describe, expect, it, onTestFinished } from "vitest";
import type { OpenBinding } from "../../support/http/open-binding.js";
import { type ServiceReply, fetchAnswer } from "../../support/http/caller.js";
import { CANARY, ERROR_CASES, type ErrorCase } from "./error-cases.js";
import { ANY_TEXT, aTextLike } from "../../support/http/json.js";
import type { StartService } from "../../support/http/service.js";

const cases: readonly (readonly [string, ErrorCase])[] = Object.entries(ERROR_CASES);
const rows: Readonly<Record<string, ErrorEntry>> = ERROR_CATALOG;

function rowOf(name: string): ErrorEntry {
  const row = rows[name];
  if (row === undefined) throw new Error(`The catalog has no ${name}.`);
  return row;
}

/**
 * Tests the response of every failure in the catalog.
 *
 * The tests check code, message, language, status and trace id, and that no sent value is repeated.
 */
export function errorsContract(start: StartService, openBinding: OpenBinding): void {
  it("has exactly one case for every row of the catalog", () => {
    expect(cases.map(([name]) => name).sort()).toEqual(Object.keys(ERROR_CATALOG).sort());
  });

  describe.each(cases.flatMap(([name, one]) => ("answer" in one ? [{ name, one }] : [])))(
    "$name",
    ({ name, one }) => {
      const row = rowOf(name);

      const usual = row.statusInEveryMode === true ? row.status : 200;
      it(`answers ${row.code} with HTTP ${usual} and a trace id, and repeats no sent value`, async () => {
        const answer = await one.answer(await start(one));
        expect(answer.status).toBe(usual);
        expectFailureEnvelope(answer, row);
        expect(answer.msg).toMatch(/^[\x20-\x7e]+$/);
      });

      it(`answers HTTP ${row.status} if the host uses standard statuses`, async () => {
        const answer = await one.answer(await start({ ...one, policy: { statusMode: "standard" } }));
        expect(answer.status).toBe(row.status);
        expectFailureEnvelope(answer, row);
      });

      it("answers in Chinese if the caller requests it", async () => {
        const headers = { "accept-language": "zh-CN,zh;q=0.9,en;q=0.8" };
        const answer = await one.answer(await start({ ...one, headers }));
        expectFailureEnvelope(answer, row);
        expect(answer.msg).toMatch(/\p{Script=Han}/u);
      });
    },
  );

  // No endpoint returns these failures. A host may return them in the same envelope.
  describe.each(cases.flatMap(([name, one]) => ("failure" in one ? [{ name, one }] : [])))(
    "$name of an operator function",
    ({ name, one }) => {
      const answers = async (policy: Partial<Policy>, language: Language) => {
        const service = await start({ policy });
        const failure = await one.failure(service);
        expect(failure.name).toBe(name);
        const traceId = newTraceId(service.ports.random);
        const reply = failureReply(failure, service.ports.policy, language, traceId);
        const answer = await answerOver(openBinding, reply);
        expect(answer.traceId).toBe(traceId);
        expectFailureEnvelope(answer, one);
        return answer;
      };

      it(`is ${one.code} with HTTP 200 and a trace id`, async () => {
        const answer = await answers({}, "en");
        expect(answer.status).toBe(200);
        expect(answer.msg).toMatch(/^[\x20-\x7e]+$/);
      });

      it(`is HTTP ${one.status} if the host uses standard statuses`, async () => {
        expect((await answers({ statusMode: "standard" }, "en")).status).toBe(one.status);
      });

      it("is also available in Chinese", async () => {
        expect((await answers({}, "zh")).msg).toMatch(/\p{Script=Han}/u);
      });
    },
  );

  it("states the remaining amount that can be refunded", async () => {
    const service = await start();
    const failure = await ERROR_CASES["refund.exceeds-remaining"].failure(service);
    const reply = failureReply(failure, service.ports.policy, "en", newTraceId(service.ports.random));
    const { msg } = await answerOver(openBinding, reply);
    expect(msg).toBe("The refund exceeds the remaining amount of 600 cents");
  });

  it("uses English for every other language", async () => {
    for (const language of ["en", "fr-FR, zh;q=0.1", "zhuang", ""]) {
      const { demo } = await start({ headers: { "accept-language": language } });
      const { msg } = await demo.get("/detail.json", { bizNo: "b-1", customerIdentity: "c-1" });
      expect(msg).toBe("Order not found");
    }
  });
}

/** Returns the response that a client gets if a surface returns `reply`. */
async function answerOver(openBinding: OpenBinding, reply: HttpReply): Promise<ServiceReply> {
  const answering: Surface = { maxRequestBytes: 0, owns: () => true, handle: async () => reply };
  const nothing: Surface = { ...answering, owns: () => false };
  const binding = await openBinding({ payments: answering, metrics: nothing, notifications: nothing });
  onTestFinished(() => binding.close());
  return fetchAnswer(`${binding.baseUrl}/pay/refunds.json`);
}

function expectFailureEnvelope(answer: ServiceReply, { code }: Pick<ErrorEntry, "code">): void {
  expect(answer.json).toEqual({
    code,
    msg: ANY_TEXT,
    traceId: aTextLike(/^[0-9a-f]{32}$/),
  });
  expect(answer.headers.get("x-trace-id")).toBe(answer.traceId);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.msg).not.toContain(CANARY);
  // A missing value leaves the braces of its placeholder, or a gap.
  expect(answer.msg).not.toMatch(/[{}]| {2}|^ | $/);
}
