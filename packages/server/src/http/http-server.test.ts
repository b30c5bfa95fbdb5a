import { Agent, get, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { once } from "node:events";
import { serverLimits } from "@tillkit/runtime";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { listen } from "./http-server.js";

it("sets timeouts for slow clients", async () => {
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

it("closes each connection with its next response after drain, also for a pending request", async () => {
  const waiting: ServerResponse[] = [];
  const app: RequestListener = (request, response) => {
    if (request.url === "/wait") waiting.push(response);
    else response.end("here");
  };
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(async () => {
    agent.destroy();
    await server.close();
  });
  const connectionOf = async (path: string) => {
    const request = get(`http://127.0.0.1:${server.port}${path}`, { agent });
    const [response] = z.tuple([z.custom<IncomingMessage>()]).parse(await once(request, "response"));
    response.resume();
    return response.headers.connection;
  };
  expect(await connectionOf("/")).toBe("keep-alive");
  const late = connectionOf("/wait");
  await expect.poll(() => waiting.length).toBe(1);
  server.drain();
  waiting[0]?.end("late");
  expect(await late).toBe("close");
  expect(await connectionOf("/")).toBe("close");
});
