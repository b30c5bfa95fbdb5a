import { expect, it } from "vitest";
import { isEventStream } from "./is-event-stream.js";

async function* stream() {
  yield "data: 1\n\n";
}

it.each([
  ["text/event-stream", true],
  ["Text/Event-Stream; charset=utf-8", true],
  ["text/event-stream-like", false],
  ["text/csv", false],
])("a stream of the type %s: %s", (type, expected) => {
  expect(isEventStream({ status: 200, headers: { "content-type": type }, body: stream() })).toBe(expected);
});

it("is false for text and for a stream without a type", () => {
  const headers = { "content-type": "text/event-stream" };
  expect(isEventStream({ status: 200, headers, body: "" })).toBe(false);
  expect(isEventStream({ status: 200, headers: {}, body: stream() })).toBe(false);
});
