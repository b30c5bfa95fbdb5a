import { expect, it } from "vitest";
import { serverErrorSchema, serverFailure } from "./server-failure.js";

const SERVER = "https://pay.example/dashboard";
const traceId = "0af7651916cd43dd8448eb211c80319c";

it("names the trace id in the host's log for a failure of the host, and for no other failure", () => {
  const broken = serverFailure(SERVER, { name: "storage.unavailable", message: "", traceId });
  expect(broken.message).toBe(
    `The host cannot use its database now. Repeat the command later. The log of the host has the traceId ${traceId}.`,
  );
  const refused = serverFailure(SERVER, { name: "alarm.not-open", message: "", traceId });
  expect(refused.message).toBe("The order has no open alarm.");
});

it("ignores a trace id that could be another text", () => {
  const read = (id: string) =>
    serverErrorSchema.parse({ error: { name: "x", message: "y", traceId: id } }).error.traceId;
  expect([read(traceId), read("\u001b[31mtext")]).toEqual([traceId, undefined]);
});
