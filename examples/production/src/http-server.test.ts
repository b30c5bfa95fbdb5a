import type { RequestListener } from "node:http";
import { serverLimits } from "@tillkit/runtime";
import { expect, it, onTestFinished } from "vitest";
import { listen } from "./http-server.js";

it("listens with limits on how slow a client may be", async () => {
  let used: unknown;
  const app: RequestListener = (request, response) => {
    used = Reflect.get(request.socket, "server");
    response.end("here");
  };
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close());
  expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe("here");
  expect(used).toMatchObject(serverLimits);
});
