import { expect, it, vi } from "vitest";
import { isStream } from "./is-stream.js";
import type { HttpReply } from "./request.js";
import { whenReplyEnds } from "./when-reply-ends.js";

const CSV = { "content-type": "text/csv" } as const;

async function* rows(count: number, end: () => void = () => undefined) {
  for (let row = 0; row < count; row += 1) yield `${row}\n`;
  end();
}

function textsOf({ body }: HttpReply): AsyncIterator<string> {
  if (!isStream(body)) throw new Error("The reply has no stream");
  return body[Symbol.asyncIterator]();
}

it.each(["text", new Uint8Array([1])])(
  "reports the end of %s at once, and returns the same reply",
  (body) => {
    const ended = vi.fn();
    const reply = { status: 200, headers: CSV, body };
    expect(whenReplyEnds(reply, ended)).toBe(reply);
    expect(ended).toHaveBeenCalledExactlyOnceWith("complete");
  },
);

it("reports the end of an event stream when it opens, and returns the same reply", () => {
  const ended = vi.fn();
  const reply = { status: 200, headers: { "content-type": "text/event-stream" }, body: rows(1) };
  expect(whenReplyEnds(reply, ended)).toBe(reply);
  expect(ended).toHaveBeenCalledExactlyOnceWith("complete");
});

it("reports the end of any other stream after its last text, and only once", async () => {
  const ended = vi.fn();
  const texts = textsOf(whenReplyEnds({ status: 200, headers: CSV, body: rows(2) }, ended));
  expect(await texts.next()).toEqual({ done: false, value: "0\n" });
  expect(await texts.next()).toEqual({ done: false, value: "1\n" });
  expect(ended).not.toHaveBeenCalled();
  expect(await texts.next()).toMatchObject({ done: true });
  await texts.next();
  await texts.return?.();
  expect(ended).toHaveBeenCalledExactlyOnceWith("complete");
});

it("reports a stream that throws, and throws the same error", async () => {
  const ended = vi.fn();
  const broken = rows(0, () => {
    throw new Error("broken");
  });
  const texts = textsOf(whenReplyEnds({ status: 200, headers: CSV, body: broken }, ended));
  await expect(texts.next()).rejects.toThrow("broken");
  expect(ended).toHaveBeenCalledExactlyOnceWith("failed");
});

it("reports a stream that its client abandons, even if the stream never started", async () => {
  const ended = vi.fn();
  const texts = textsOf(whenReplyEnds({ status: 200, headers: CSV, body: rows(2) }, ended));
  expect(await texts.return?.()).toMatchObject({ done: true });
  expect(ended).toHaveBeenCalledExactlyOnceWith("abandoned");
});

it("reports an abandoned stream whose return fails", async () => {
  const ended = vi.fn();
  const body: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new Error("unused")),
      return: () => Promise.reject(new Error("cannot close")),
    }),
  };
  const texts = textsOf(whenReplyEnds({ status: 200, headers: CSV, body }, ended));
  await expect(texts.return?.()).rejects.toThrow("cannot close");
  expect(ended).toHaveBeenCalledExactlyOnceWith("abandoned");
});
