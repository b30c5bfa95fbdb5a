import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { closeServer } from "./close-server.js";
import { serverLimits } from "./server-limits.js";

it("completes a running request, and then closes its connection", async () => {
  let respond = (): void => undefined;
  const server = createServer(serverLimits, (_request, response) => {
    respond = () => {
      response.end("done");
    };
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  // The connections of `fetch` stay open.
  const answer = fetch(`http://127.0.0.1:${address.port}`);
  await once(server, "request");
  const closed = closeServer(server);
  respond();
  expect(await (await answer).text()).toBe("done");
  await closed;
  expect(server.listening).toBe(false);
});

it("resolves for a server that does not listen", async () => {
  await closeServer(createServer());
});
