import { expect, it } from "vitest";
import { headersWithLength } from "./headers-with-length.js";

it.each([200, 201, 400, 503])("adds the length to a reply of status %i", (status) => {
  const reply = { status, headers: { "x-trace-id": "t-1" }, body: "é" };
  expect(headersWithLength(reply, 2)).toEqual({ "x-trace-id": "t-1", "content-length": "2" });
  expect(reply.headers).toEqual({ "x-trace-id": "t-1" });
});

it.each([204, 304])("adds no length to a reply of status %i", (status) => {
  expect(headersWithLength({ status, headers: { etag: "x" }, body: "" }, 0)).toEqual({ etag: "x" });
});
