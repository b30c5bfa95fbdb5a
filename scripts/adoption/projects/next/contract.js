// Run by vitest: the binding contract on the application that `next build` has built.
import { createServer } from "node:http";
import { bindingContract } from "@tillkit/contract-tests";
import { fetchHandler } from "@tillkit/fetch";
import next from "next";
import { afterAll, beforeAll } from "vitest";
import { peerOf } from "./lib/peer-of.ts";

let baseUrl;
let server;

beforeAll(async () => {
  const app = next({ dev: false, dir: import.meta.dirname });
  await app.prepare();
  const answer = app.getRequestHandler();
  server = createServer((request, response) => void answer(request, response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${server.address().port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

bindingContract(
  "Next.js",
  async ({ payments, metrics, notifications }) => {
    const mounts = { "/pay": payments, "/wallets": notifications, "/": metrics };
    globalThis.tillkit = Promise.resolve(fetchHandler(mounts, { peerOf }));
    return { baseUrl, close: async () => undefined };
  },
  { urls: "parsed" },
);
