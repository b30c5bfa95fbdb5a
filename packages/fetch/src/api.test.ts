import { apiContract } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { vi } from "vitest";
import { fetchHandler } from "./fetch-handler.js";

apiContract(
  "fetch, without a server, in memory",
  async ({ payments, metrics, notifications }) => {
    const handler = fetchHandler({ "/pay": payments, "/wallets": notifications, "/": metrics });
    vi.stubGlobal("fetch", (url: string, init: RequestInit) => handler(new Request(url, init)));
    return { baseUrl: "http://service.test", close: async () => void vi.unstubAllGlobals() };
  },
  async () => ({ port: memoryPorts(), close: async () => undefined }),
);
