import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isSilent } from "./ask.js";

/** Starts a server at a socket, and returns the path of the socket. */
async function listening(listener: RequestListener): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-ask-"));
  const path = join(folder, "server.sock");
  const server = createServer(listener).listen(path);
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  return path;
}

it("reports a server as silent if it accepts a request and never answers", async () => {
  expect(await isSilent(await listening(() => undefined), "/", 50)).toBe(true);
});

it("does not report a server as silent if it answers, with any status", async () => {
  const path = await listening((_request, response) => void response.writeHead(500).end());
  expect(await isSilent(path, "/", 10_000)).toBe(false);
});

it("does not report a server as silent if its socket was removed", async () => {
  expect(await isSilent(join(tmpdir(), "tillkit-no-such.sock"), "/", 10_000)).toBe(false);
});
