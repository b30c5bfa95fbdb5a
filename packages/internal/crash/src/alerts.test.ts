import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { builtProgram } from "@tillkit/built-program";
import { aFoundException, expectOk } from "@tillkit/contract-tests";
import { createDatabase } from "@tillkit/local-postgres";
import { migrate, pgClient, postgresStores } from "@tillkit/postgres";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { type Process, startProcess } from "./testing/program.js";

const MINUTE = 60_000;
const HOST = await builtProgram(new URL("testing/alert-program.ts", import.meta.url));

/** A chat that holds its answers until the test calls `answer`. */
async function openChat() {
  const texts: string[] = [];
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", () => {
      texts.push(body);
      waiting.push(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/services/T/B/token`;
  return {
    url,
    texts,
    answer: () => waiting.splice(0).forEach((response) => response.end("ok")),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

let chat: Awaited<ReturnType<typeof openChat>>;
let pool: pg.Pool;
let databaseUrl: string;
const hosts: Process[] = [];

beforeEach(async () => {
  databaseUrl = await createDatabase(inject("databaseUrl"));
  pool = new pg.Pool({ connectionString: databaseUrl });
  const sql = pgClient(pool);
  await expectOk(migrate({ sql, schema: "tillkit" }));
  const key = { version: 1, key: new Uint8Array(32).fill(7) };
  const { billExceptions } = postgresStores({ sql, schema: "tillkit", credentialKeys: [key] });
  await expectOk(billExceptions.report([aFoundException({ at: Date.now() - 1_440 * MINUTE })]));
  chat = await openChat();
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.kill()));
  chat.close();
  await pool.end();
});

function start(aheadMs: number): Process {
  const environment = { DATABASE_URL: databaseUrl, CHAT_URL: chat.url, CLOCK_AHEAD_MS: String(aheadMs) };
  const host = startProcess([HOST], environment);
  hosts.push(host);
  return host;
}

const textsReach = (count: number) => expect.poll(() => chat.texts.length, { timeout: 20_000 }).toBe(count);
const lookFor = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it("the processes lose no alert if one is killed while it sends, and repeat the alert at most once", async () => {
  const first = start(0);
  await textsReach(1);
  await first.kill();

  // The claim of the killed process holds for a minute.
  const early = start(0);
  await early.waitForOutput("started");
  await lookFor(500);
  expect(chat.texts).toHaveLength(1);
  await early.kill();

  const second = start(MINUTE + 1_000);
  await textsReach(2);
  expect(chat.texts[1]).toBe(chat.texts[0]?.replace("1 d", "1 d 1 min") ?? "");
  await second.kill();

  const third = start(3 * MINUTE);
  await third.waitForOutput("started");
  await lookFor(500);
  expect(chat.texts).toHaveLength(2);
});

it("only one of several processes sends an alert", async () => {
  const running = [start(0), start(0), start(0)];
  await Promise.all(running.map((host) => host.waitForOutput("started")));
  await textsReach(1);
  chat.answer();
  await lookFor(500);
  expect(chat.texts).toHaveLength(1);
});
