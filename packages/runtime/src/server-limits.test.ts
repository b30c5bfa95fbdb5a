import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { serverLimits } from "./server-limits.js";

/** The same limits, shortened for the tests. */
const SHORT = { headersTimeout: 500, requestTimeout: 700, connectionsCheckingInterval: 10 };

const SLOW: Readonly<Record<string, readonly [begin: string, drop: string]>> = {
  "that sends nothing": ["", ""],
  "that sends its head byte by byte": ["POST / HTTP/1.1\r\nhost: x\r\nx-a: ", "a"],
  "that sends an endless list of headers": ["POST / HTTP/1.1\r\nhost: x\r\n", "x-a: a\r\n"],
  "that sends its body byte by byte": ["POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 65536\r\n\r\n", "a"],
  "that sends its body in endless chunks": [
    "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n",
    "1\r\na\r\n",
  ],
};

it("match their documentation and the settings of a server", () => {
  expect(serverLimits).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 20_000,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: 65_000,
  });
  expect(createServer(serverLimits)).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 20_000,
    keepAliveTimeout: 65_000,
  });
});

it("disconnect every client that is too slow, while others are answered", async () => {
  const server = createServer({ ...serverLimits, ...SHORT }, (request, response) => {
    request.on("error", () => undefined);
    if (request.method === "GET") response.end("here");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const reported = Object.entries(SLOW).map(async ([what, [begin, drop]]) => {
    const slow = connect(port, "127.0.0.1");
    slow.write(begin);
    return { what, replies: await repliesTo(slow, drop) };
  });
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("here");
  for (const { what, replies } of await Promise.all(reported))
    expect(replies, what).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n/);
});

/** Sends `drop` repeatedly. Returns the response when the server has closed the connection. */
function repliesTo(socket: Socket, drop: string): Promise<string> {
  const dripping = setInterval(() => socket.write(drop), 5);
  let replies = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    replies += text;
  });
  // After the server has closed the connection, the next byte causes an error.
  socket.on("error", () => undefined);
  return once(socket, "close").then(() => {
    clearInterval(dripping);
    return replies;
  });
}
