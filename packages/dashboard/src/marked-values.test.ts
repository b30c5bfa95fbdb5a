import { randomUUID } from "node:crypto";
import type { ServiceEvent } from "@tillkit/core";
import { headersIn, isStream } from "@tillkit/core/http";
import { memoryPorts } from "@tillkit/memory";
import { errAsync } from "neverthrow";
import { expect, it } from "vitest";
import { operatorRoutes } from "./api/routes.js";
import { openDashboard } from "./testing/open-dashboard.js";

/** Texts that an operator typed or a store threw. Only replies to operators may contain them. */
const MARKS = /MARK-|13800138000/;
const CAUSE = "MARK-cause of 13800138000";

/** Fields of every form, with values that identify a person or are secret. */
const FIELDS = {
  amount: 1,
  dailyLimit: 1,
  overlap: 0,
  durationMs: 1_000,
  refundNo: "r-1",
  role: "viewer",
  ids: ["MARK-id"],
  reason: "MARK-reason",
  note: "MARK-note",
  name: "MARK-name",
  password: "MARK-password",
  appId: "MARK-app",
  serviceName: "MARK-service",
  evidence: "MARK-evidence 13800138000",
  customerIdentity: "MARK-identity",
  mobileNo: "13800138000",
  credentials: { key: "MARK-key" },
} as const;
const QUERY =
  "q=MARK-query&app=MARK-app&operator=MARK-operator&from=MARK-from&mobileNo=13800138000&cursor=MARK-c";

/** A store whose methods fail with a text that contains personal data. */
function failing<S extends object>(store: S): S {
  return new Proxy(store, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== "function") return method;
      if (String(name).startsWith("getCached")) return () => undefined;
      return () => errAsync({ name: "storage.unavailable", cause: new Error(CAUSE) });
    },
  });
}

it.each(operatorRoutes.map(({ method, path }) => [method, path] as const))(
  "shows no marked value to a log, a metric or an error: %s %s",
  async (method, path) => {
    for (const broken of [false, true]) {
      const events: ServiceEvent[] = [];
      const memory = memoryPorts();
      const { create, signIn } = openDashboard(memory);
      await create("root", "admin");
      const { cookie, csrfToken } = await signIn("root");
      const { orders, refunds, services, sessions, downloads, downloadsClients, billExceptions } = memory;
      const ports = {
        ...memory,
        ...(broken && {
          orders: failing(orders),
          refunds: failing(refunds),
          services: failing(services),
          sessions: failing(sessions),
          downloads: failing(downloads),
          downloadsClients: failing(downloadsClients),
          billExceptions: failing(billExceptions),
        }),
        observer: { onEvent: (event: ServiceEvent) => void events.push(event) },
      };
      const { surface } = openDashboard(ports);
      for (const body of [JSON.stringify(FIELDS), '{"MARK-member": "13800138000"', "{}"]) {
        const reply = await surface.handle({
          method,
          path: path.replace(/\{[^}]*\}/g, "MARK-identity"),
          query: QUERY,
          peer: "192.0.2.1",
          headers: headersIn({
            cookie,
            "x-csrf-token": csrfToken,
            "x-change-id": `test-${randomUUID()}`,
            "user-agent": "MARK-agent",
            authorization: "Bearer MARK-bearer",
          }),
          body: new TextEncoder().encode(method === "GET" ? "" : body),
        });
        expect(reply.route ?? "").not.toMatch(MARKS);
        if (typeof reply.body === "string" && reply.status >= 400) expect(reply.body).not.toMatch(MARKS);
        if (isStream(reply.body)) await reply.body[Symbol.asyncIterator]().return?.();
      }
      const shown = events.map((event) =>
        JSON.stringify(event, (name, value: unknown) => (name === "cause" ? undefined : value)),
      );
      expect(shown.join("\n")).not.toMatch(MARKS);
    }
  },
);
