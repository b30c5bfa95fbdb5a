import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../support/http/any-character.js";
import { aPurchase, created, detail } from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

/** JSON objects and arrays. The response contains the same value, character for character. */
const STRUCTURED = [
  '{"n":12345678901234567890}',
  '{"z":1,"a":2,"1":3}',
  '{"k":1,"k":2}',
  '{ "a" :\t[ 1 , 2 ] }',
  " [1.0, 1e2, -0, 0.1000000000000000055]",
  '{"a":"\\u00e9\\/\\ud83d\\ude00"}',
  '{"__proto__":{"x":1},"title":"会员 😀"}',
  "[]",
  "{}",
  '{"a":{"b":[{"c":null}]}}\n',
];

/** Other texts. The response contains them as JSON strings. */
const PLAIN = [
  "7",
  '"x"',
  "true",
  "null",
  "12345678901234567890",
  "",
  " ",
  "plain text",
  "{not json}",
  '{"a":1}{"b":2}',
  "[1,2",
  "{'a':1}",
  '{"a":NaN}',
  "会员 😀 \u2028 \\ \" ' <script>",
  "line\nfeed\ttab",
];

/** Tests that `attachData` returns without any change. */
export function attachDataContract(start: StartService): void {
  const readBack = async (attachData: string) => {
    const service = await start();
    const order = await created(service, service.demo, aPurchase({ attachData }));
    const one = await detail(service.demo, order);
    const list = await service.demo.get("/history.json", { customerIdentity: order.customerIdentity });
    return [one, list];
  };

  describe.each(STRUCTURED)("attachData %j", (attachData) => {
    it("is returned as the same JSON by both queries", async () => {
      for (const { text, json } of await readBack(attachData)) {
        expect(text).toContain(`"attachData":${attachData}`);
        expect(json).toMatchObject({ code: 0 });
      }
    });
  });

  describe.each(PLAIN)("attachData %j", (attachData) => {
    it("is returned as the same text by both queries", async () => {
      for (const { text, json } of await readBack(attachData)) {
        expect(text).toContain(`"attachData":${JSON.stringify(attachData)}`);
        expect(json).toMatchObject({ code: 0 });
      }
    });
  });

  it("is returned as it was sent, for any value", async () => {
    const service = await start();
    const plain = fc.string({ unit: anyCharacter, maxLength: 40 }).filter((text) => !text.includes("\u0000"));
    const json = fc.json({ maxDepth: 3 }).filter((text) => text.length < 1_000);
    await fc.assert(
      fc.asyncProperty(fc.oneof(plain, json), async (attachData) => {
        const order = await created(service, service.demo, aPurchase({ attachData }));
        const { text } = await detail(service.demo, order);
        const structured = /^[\t\n\r ]*[[{]/.test(attachData) && isJson(attachData);
        const expected = structured ? attachData : JSON.stringify(attachData);
        expect(text).toContain(`"attachData":${expected}`);
      }),
      { numRuns: 60 },
    );
  });

  it("is absent if none was sent", async () => {
    const service = await start();
    const order = await created(service, service.demo, aPurchase());
    expect((await detail(service.demo, order)).data).not.toHaveProperty("attachData");
  });

  it("is measured in bytes of UTF-8", async () => {
    const { demo } = await start();
    const post = (attachData: string) => demo.post("/order.json", aPurchase({ attachData }));
    expect((await post("会".repeat(1_365) + "x")).code).toBe(0);
    expect((await post("会".repeat(1_365) + "xy")).code).toBe(10010);
  });

  it("must be text without U+0000: any other JSON value is rejected", async () => {
    const { demo } = await start();
    for (const attachData of [{ a: 1 }, [1], 7, true, "a\u0000b"]) {
      const answer = await demo.post("/order.json", aPurchase({ attachData }));
      expect(answer.code).toBe(10003);
      expect(answer.msg).toMatch(/^Parameter attachData /);
    }
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
