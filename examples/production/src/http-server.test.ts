import { createServer } from "node:http";
import { serverLimits } from "@tillkit/runtime";
import { expect, it, onTestFinished, vi } from "vitest";
import { listen } from "./http-server.js";

vi.mock("node:http", { spy: true });

it("listens with limits on how slow a client may be", async () => {
  const server = await listen((_request, response) => void response.end("here"), {
    host: "127.0.0.1",
    port: 0,
  });
  onTestFinished(() => server.close());
  expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe("here");
  expect(createServer).toHaveBeenCalledWith(serverLimits);
});
