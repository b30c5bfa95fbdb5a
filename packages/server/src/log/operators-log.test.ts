import { dashboardSurface } from "@tillkit/dashboard";
import { memoryPorts } from "@tillkit/memory";
import { errAsync } from "neverthrow";
import { expect, it } from "vitest";
import { openLogger } from "./logger.js";
import { logRequests } from "./request-log.js";

/** Requests `path` while the storage fails with `cause`, and returns the lines of the log. */
async function logged(path: string, cause: Error): Promise<readonly unknown[]> {
  const ports = memoryPorts();
  const unavailable = () => errAsync({ name: "storage.unavailable", cause } as const);
  const refunds = { ...ports.refunds, readRecord: unavailable };
  const authorize = async () => ({ name: "han", role: "admin" }) as const;
  const surface = dashboardSurface({ ...ports, refunds }, { authorize, mountPath: "/dashboard" });
  const lines: unknown[] = [];
  const logger = openLogger("info", { write: (line) => void lines.push(JSON.parse(line)) });
  const request = { method: "GET", path, query: "", headers: new Headers(), body: new Uint8Array() };
  await logRequests(surface, logger).handle({ ...request, traceId: "trace-1" });
  return lines;
}

it("logs the cause of a failed request of the operators' page, without its values", async () => {
  const cause = Object.assign(new Error("duplicate key 13800138000"), { code: "23505", table: "orders" });
  const lines = await logged("/api/orders/app_1/b-1", cause);
  expect(lines).toMatchObject([
    {
      level: "error",
      msg: "request",
      route: "/api/orders/{appId}/{bizNo}",
      status: 503,
      failure: "storage.unavailable",
      traceId: "trace-1",
      err: { type: "Error", code: "23505", table: "orders" },
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain("13800138000");
});

it("logs a refused request of the operators' page with the name of the failure", async () => {
  const lines = await logged("/api/nothing", new Error("unused"));
  expect(lines).toMatchObject([{ level: "info", status: 404, failure: "endpoint.not-found" }]);
});
